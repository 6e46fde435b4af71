import { minorActs } from '../../act/action-words.ts'
import { fill, find, h } from '../dom.ts'
import { identityName, readSession, type Session, watchSession } from '../session.ts'

/**
 * Makes a click on a button with `data-act` start the action that this attribute names. `data-task`: the id of the
 * task. `data-worker`: the worker to rate. `data-for`: the account that may act; while another account is connected,
 * the element is hidden. An empty `data-for` means any account.
 */
export function startActions(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-act]') : null
    const { act: action, task: taskId, worker: targetWorker } = button?.dataset ?? {}
    if (action === undefined || taskId === undefined) return
    const { startAction } = await import('../act.ts')
    await startAction({ action, taskId, targetWorker })
  })
  watchSession(showForSession)
  for (const event of ['page-refreshed', 'reader-changed']) {
    document.addEventListener(event, () => showForSession(readSession()))
  }
}

function showForSession(session: Session | null): void {
  offerEntries(session)
  for (const element of document.querySelectorAll<HTMLElement>('[data-for]')) {
    const owner = element.dataset.for ?? ''
    element.hidden = session !== null && owner !== '' && owner.toLowerCase() !== session.address.toLowerCase()
  }
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-bound]')) {
    const isEmpty = details.querySelector('[data-for]:not([hidden])') === null
    details.hidden = isEmpty
    if (session !== null && !isEmpty) details.open = true
    putFirst(details, session !== null && !isEmpty)
  }
  for (const note of document.querySelectorAll<HTMLElement>('[data-none]')) {
    note.hidden = note.parentElement?.querySelector('[data-for]:not([hidden])') !== null
  }
}

/**
 * Moves `details`, the list of the actions that only certain accounts may take. If `isFirst` is true, places `details`
 * before the list of the actions that every account may take, else after that list. Then makes one button the main
 * button: the first visible button of the two lists together. If this button's action is in `minorActs`, no button
 * becomes the main button.
 */
function putFirst(details: HTMLElement, isFirst: boolean): void {
  const openList = details.parentElement?.querySelector(':scope > ul')
  if (!openList) return
  if (isFirst) openList.before(details)
  else openList.after(details)
  const shownButtons = [...(details.parentElement?.querySelectorAll('[data-for]:not([hidden]) > [data-act]') ?? [])]
  for (const [index, button] of shownButtons.entries()) {
    const isMinor = minorActs.includes(button.getAttribute('data-act') ?? '')
    button.classList.toggle('quiet', index > 0 || isMinor)
  }
}

/**
 * Offers the connected wallet those hidden entries of a task which the wallet may see. If the tab has a signed read
 * identity, shows the entries at once. Otherwise, or if the entries cannot be read, renders a button that shows the
 * entries.
 */
function offerEntries(session: Session | null): void {
  const place = find('[data-entries]')
  // The wallet's entries stay, so that an update of the page finds them.
  if (place === null || (session !== null && place.dataset.shownTo === session.address.toLowerCase())) return
  delete place.dataset.shownTo
  const show = async () => {
    const { showOwnEntries } = await import('../private/own-entries.ts')
    await showOwnEntries(place)
  }
  const button = h(
    'button',
    { class: 'button quiet', type: 'button', onclick: () => void show() },
    'Show the entries that my wallet may see',
  )
  const offer = () => {
    if (place.dataset.shownTo === undefined) fill(place, readSession() === null ? null : button)
  }
  const isIdentified = session !== null && sessionStorage.getItem(identityName(session.address)) !== null
  if (!isIdentified) offer()
  else void import('../private/own-entries.ts').then(({ updateOwnEntries }) => updateOwnEntries(place)).finally(offer)
}
