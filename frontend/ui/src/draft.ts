/** The draft board of the organisers' page: an entry that is dropped onto another changes places with it. */

const seatOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-draft-entry]') : null;

/** Let entries of the draft be dragged; the page that opens shows the effects, and nothing is done before it is confirmed. */
export function openDraft(): void {
  const board = document.querySelector('.draft-board');
  let dragged = '';
  board?.addEventListener('dragstart', (event) => {
    dragged = seatOf(event)?.dataset['draftEntry'] ?? '';
  });
  board?.addEventListener('dragover', (event) => {
    const over = seatOf(event)?.dataset['draftEntry'];
    if (dragged && over && over !== dragged) event.preventDefault();
  });
  board?.addEventListener('drop', (event) => {
    const other = seatOf(event)?.dataset['draftEntry'];
    if (!dragged || !other || other === dragged) return;
    event.preventDefault();
    location.assign(`?${new URLSearchParams({ act: 'exchange', one: dragged, other }).toString()}#act`);
  });
}
