import { fill, find, h } from './dom.ts'

type Content = Parameters<typeof fill>[1][]

/**
 * Opens a modal dialog with a heading. Escape closes the dialog. When the dialog is closed, the element that had the
 * focus before gets the focus again. If that element is gone, the main content gets the focus.
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

/** Runs `act`, and then closes the dialog. `act` thus runs before the promise of `openDialog` resolves. */
export function closeDialog(dialog: HTMLDialogElement, act: () => void = () => {}): void {
  act()
  dialog.close()
}
