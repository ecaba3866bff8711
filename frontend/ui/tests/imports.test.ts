import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true });
const modules = Object.keys(sources);
/** What finds the games' skins. */
const LIST = '../src/replay/board/skins.ts';

/** Return the modules that one names in an import of any kind, `import.meta.glob` included. */
function importsOf(module: string): readonly string[] {
  const named = (sources[module] ?? '').matchAll(/(?:\bfrom|\bimport|\bglob<.*>\(|\bglob\()[\s(]*'(\.[^']+)'/g);
  return [...named].flatMap(([, path = '']) => {
    const there = new URL(path, `file:///${module.replace('../', '')}`).pathname.slice(1);
    const pattern = new RegExp(`^\\.\\./${there.replaceAll('.', '\\.').replace('*', '[^/]+')}(\\.ts|\\.svelte\\.ts)?$`);
    return modules.filter((other) => pattern.test(other));
  });
}

/** Return the circles that a walk along the imports comes to, each as the way from a module back to itself. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (module: string, way: readonly string[]): void => {
    if (way.includes(module)) found.push([...way.slice(way.indexOf(module)), module].join(' > '));
    else if (!done.has(module)) for (const next of imports.get(module) ?? []) walk(next, [...way, module]);
    done.add(module);
  };
  for (const module of imports.keys()) walk(module, []);
  return found;
}

const imports = new Map(modules.map((module) => [module, importsOf(module)]));

it('no module imports itself by way of others, be it for a type alone', () => {
  expect(circles(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b > c > b']);
  expect(imports.get('../src/site.ts')).toContain('../src/theatre.ts');
  expect(circles(imports)).toEqual([]);
});

it('nothing outside a game’s folder imports from it but the list of all skins, and games not from each other', () => {
  const gameOf = (module: string): string | undefined => /\/games\/(\w+)\//.exec(module)?.[1];
  const into = [...imports].flatMap(([module, others]) =>
    others.filter((other) => gameOf(other) && gameOf(other) !== gameOf(module)).map((other) => [module, other] as const),
  );
  expect(into.filter(([module, other]) => module !== LIST || !other.endsWith('/skin.ts'))).toEqual([]);
});
