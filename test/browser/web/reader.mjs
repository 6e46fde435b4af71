// What a reader does in a page, and what they look at then: functions that run there.

/** Types into a field of the reader's own, which is put into an entry below the screen, and selects a part of it. */
export function beginTyping() {
  const field = document.createElement('textarea')
  const entry = document.querySelector('#SUB-b')
  entry.append(field)
  entry.scrollIntoView({ block: 'center' })
  field.focus()
  field.value = 'half a sen'
  field.setSelectionRange(2, 6)
}

/**
 * The field of the reader.
 * @returns {{ value: string, selected: number[], isFocused: boolean, top: number }}
 */
export function readTyping() {
  const field = document.querySelector('textarea')
  const { value, selectionStart, selectionEnd } = field
  const top = Math.round(field.getBoundingClientRect().top)
  return { value, selected: [selectionStart, selectionEnd], isFocused: document.activeElement === field, top }
}

/** Opens a dialog with a field. */
export function openField() {
  const dialog = document.createElement('dialog')
  dialog.append(Object.assign(document.createElement('input'), { value: '12' }))
  document.body.append(dialog)
  dialog.showModal()
}

/** Scrolls to a paragraph and selects it. */
export function selectParagraph() {
  const paragraph = document.querySelectorAll('.prose p')[20]
  paragraph.scrollIntoView()
  getSelection().selectAllChildren(paragraph)
}

/**
 * The selection, and where the paragraph is on the screen.
 * @returns {{ text: string, top: number }}
 */
export function readParagraph() {
  const { top } = document.querySelectorAll('.prose p')[20].getBoundingClientRect()
  return { text: String(getSelection()), top: Math.round(top) }
}

/**
 * What a browser does with a tab that another one covers, as far as its page sees it.
 * @param {boolean} isHidden
 */
export function setHidden(isHidden) {
  Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/**
 * Connects a wallet, as another tab would.
 * @param {string} address
 */
export function connect(address) {
  const session = { address, kind: 'announced', wallet: 'x', name: 'x' }
  localStorage.setItem('task-market:session', JSON.stringify(session))
  dispatchEvent(new StorageEvent('storage', { key: 'task-market:session' }))
}
