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

/**
 * Connects a wallet that has signed who reads, before the page loads.
 * @param {{ address: string, minutes: number }} options for how long the signature is good
 */
export function signIn({ address, minutes }) {
  const name = `task-market:${address.toLowerCase()}:read`
  localStorage.setItem('task-market:session', JSON.stringify({ address, kind: 'announced', wallet: 'x', name: 'x' }))
  if (sessionStorage.getItem('signed-in') !== null) return
  sessionStorage.setItem('signed-in', 'once')
  const headers = { 'X-Service-Caller-Address': address }
  sessionStorage.setItem(name, JSON.stringify({ expires: Math.floor(Date.now() / 1000) + minutes * 60, headers }))
}

/** Disconnects the wallet, as another tab would. */
export function disconnect() {
  localStorage.removeItem('task-market:session')
  dispatchEvent(new StorageEvent('storage', { key: 'task-market:session' }))
}

/** Marks the heading and the first entry, to tell them from others in their place. */
export function markParts() {
  for (const element of document.querySelectorAll('h1, article.entry')) element.dataset.seen = 'before'
}

/**
 * What an update has marked, and what it says to those who do not see it.
 * @returns {{ marked: string[], said: string }}
 */
export function readChanged() {
  return {
    marked: [...document.querySelectorAll('.changed')].map((one) => `${one.localName} ${one.id}`.trim()),
    said: document.querySelector('[role=status].unseen')?.textContent ?? '',
  }
}
