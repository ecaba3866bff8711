/** Tie-break list in the form for a new league: chosen with checkboxes, ordered by dragging or with buttons. */

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tiebreaks] li') : null;

const isChosen = (row: Element): boolean => row.querySelector<HTMLInputElement>('[data-chosen]')?.checked ?? false;

/** Write the chosen tie-breaks in their order into the field that the form sends. */
function store(row: Element): void {
  const list = row.closest<HTMLElement>('[data-tiebreaks]');
  const field = document.querySelector<HTMLInputElement>(`#${list?.dataset['tiebreaks'] ?? ''}`);
  if (!list || !field) return;
  const chosen = [...list.querySelectorAll<HTMLElement>('li')].filter(isChosen);
  field.value = chosen.map((one) => one.dataset['slug']).join(', ');
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Move a row by one place; the button keeps the focus. */
function move(row: Element, button: HTMLElement): void {
  const up = button.dataset['move'] === '-1';
  const other = up ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (up) other.before(row);
  else other.after(row);
  button.focus();
  store(row);
}

/** Move a row whose checkbox changed behind the other chosen rows. */
function settle(row: Element): void {
  const others = [...(row.parentElement?.children ?? [])].filter((one) => one !== row);
  const box = row.querySelector<HTMLElement>('[data-chosen]');
  others.findLast(isChosen)?.after(row);
  if (!others.some(isChosen)) row.parentElement?.prepend(row);
  box?.focus();
  store(row);
}

/** Handle clicks and drags in tie-break lists. The document listens, so that a replaced list works too. */
export function openTiebreaks(): void {
  let dragged: HTMLElement | null = null;
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null;
    const row = rowOf(button);
    if (row && button) move(row, button);
  });
  document.addEventListener('change', (event) => {
    const row = rowOf(event.target);
    if (row) settle(row);
  });
  document.addEventListener('dragstart', (event) => {
    dragged = rowOf(event.target);
  });
  document.addEventListener('dragover', (event) => {
    if (dragged && rowOf(event.target)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    const other = rowOf(event.target);
    if (!dragged || !other || dragged === other) return;
    event.preventDefault();
    const isBehind = Boolean(dragged.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isBehind) other.after(dragged);
    else other.before(dragged);
    store(dragged);
    dragged = null;
  });
}
