/** Draft board of the organisers' page. An entry that is dropped onto another one changes places with it. */

const entryOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-draft-entry]') : null;

/** Make the entries draggable. A drop opens a page that shows the effects of the exchange and asks to confirm it. */
export function openDraft(): void {
  const board = document.querySelector('.draft-board');
  let dragged = '';
  board?.addEventListener('dragstart', (event) => {
    dragged = entryOf(event)?.dataset['draftEntry'] ?? '';
  });
  board?.addEventListener('dragover', (event) => {
    const over = entryOf(event)?.dataset['draftEntry'];
    if (dragged && over && over !== dragged) event.preventDefault();
  });
  board?.addEventListener('drop', (event) => {
    const other = entryOf(event)?.dataset['draftEntry'];
    if (!dragged || !other || other === dragged) return;
    event.preventDefault();
    location.assign(`?${new URLSearchParams({ act: 'exchange', one: dragged, other }).toString()}#act`);
  });
}
