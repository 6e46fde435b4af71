import { fill, find, h } from './dom.ts'

type Content = Parameters<typeof fill>[1][]

/**
 * Opens a modal dialog with a heading. The browser keeps the focus inside the dialog, and restores it at the end.
 * Escape closes the dialog. If the element that had the focus no longer exists, the main content of the page gets the
 * focus.
 * @param content creates the content below the heading
 * @returns a promise that resolves when the dialog is closed
 */
export function openDialog(
  heading: string,
  content: (dialog: HTMLDialogElement) => Content,
  onClose: () => void = () => {},
): Promise<void> {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-heading' })
  fillDialog(dialog, heading, content(dialog))
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      if (document.activeElement === document.body) find('#main')?.focus({ preventScroll: true })
      onClose()
      resolve()
    })
  })
}

/** Replaces the heading and the content of an open dialog. */
export function fillDialog(dialog: HTMLDialogElement, heading: string, content: Content): void {
  const close = h(
    'button',
    { class: 'close', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() },
    '✕',
  )
  fill(dialog, h('h2', { id: 'dialog-heading', tabindex: '-1' }, heading), close, content)
}

/**
 * Runs `act`, and then closes the dialog. A caller that awaits the end of the dialog can rely on the effect of `act`.
 */
export function closeDialog(dialog: HTMLDialogElement, act: () => void = () => {}): void {
  act()
  dialog.close()
}
