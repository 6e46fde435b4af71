import { find } from '../dom.ts'
import { readSession, watchSession } from '../session.ts'
import { heldIdentity } from '../write/identity-of-tab.ts'
import { loadIslands, readPage } from '../write/refresh-page.ts'
import { keepLive, type Target } from './keep-live.ts'
import { patchInPlace } from './patch-in-place.ts'
import { servedMain } from './served.ts'

/**
 * Keeps the page of a task up to date. After an event of the task, reads the page again and applies the differences. If
 * the page also shows hidden entries to the connected wallet, reads the hidden entries again with the wallet's signed
 * read identity.
 */
export function startLive(): void {
  const look = keepLive({ target, update })
  for (const event of ['page-refreshed', 'reader-changed']) document.addEventListener(event, look)
  watchSession(look)
}

function target(): Target | null {
  const { live, unlisted, block } = find('main')?.dataset ?? {}
  if (live === undefined) return null
  const address = readSession()?.address ?? ''
  const headers = heldIdentity(address)
  const place = find('[data-shown-to]')
  if (headers === null && place !== null) {
    void import('../private/own-entries.ts').then(({ endOwnEntries }) => endOwnEntries(place))
  }
  return {
    task: live,
    // The stream of all tasks contains only public tasks and their public content.
    isAlone: unlisted !== undefined || headers !== null,
    fromBlock: block === undefined ? null : Number(block) + 1,
    reader: headers === null ? null : { address, headers },
  }
}

async function update(wantedBlock: number): Promise<boolean> {
  const page = await readPage()
  const [servedElement, freshElement] = [servedMain(), page?.querySelector('main')]
  if (!freshElement || servedElement === null) return servedElement === null
  const { block } = freshElement.dataset
  patchInPlace(servedElement, freshElement)
  document.title = page?.title ?? document.title
  document.dispatchEvent(new Event('page-refreshed'))
  await loadIslands(page)
  const place = find('[data-shown-to]')
  if (place !== null) {
    const { updateOwnEntries } = await import('../private/own-entries.ts')
    if (!(await updateOwnEntries(place))) return false
  }
  return block === undefined || Number(block) >= wantedBlock
}
