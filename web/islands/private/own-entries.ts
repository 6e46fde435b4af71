import { fill, h } from '../dom.ts'
import { readSession } from '../session.ts'
import { heldIdentity } from '../write/identity-of-tab.ts'
import { endNote } from './end-note.ts'
import { readEntries, showEntries } from './entries.ts'

/**
 * Shows those hidden entries of a public task which the connected wallet may see. If the tab has no signed read
 * identity, asks the wallet to sign one.
 */
export async function showOwnEntries(place: HTMLElement): Promise<void> {
  try {
    const [{ requireWallet }, { openClient }] = await Promise.all([
      import('../wallet/connection-dialog.ts'),
      import('../write/open-client.ts'),
    ])
    const { context } = await openClient(await requireWallet())
    await show(place, { address: context.account?.address ?? '', headers: await context.identity(), isUpdate: false })
  } catch (error) {
    fill(place, h('p', { class: 'note bad', role: 'alert' }, (error as Error).message))
  }
}

/**
 * Reads the hidden entries again with the existing read identity, and updates them on the page. Leaves the page
 * unchanged if the read identity has expired.
 * @returns false if the entries could not be read, else true
 */
export async function updateOwnEntries(place: HTMLElement): Promise<boolean> {
  const address = readSession()?.address ?? ''
  const headers = heldIdentity(address)
  return headers === null || (await show(place, { address, headers, isUpdate: place.dataset.shownTo !== undefined }))
}

/** Shows a note that the hidden entries are no longer kept up to date, because the read identity has expired. */
export function endOwnEntries(place: HTMLElement): void {
  if (place.querySelector('.note') === null) place.append(endNote(() => void showOwnEntries(place)))
}

async function show(
  place: HTMLElement,
  { address, headers, isUpdate }: { address: string; headers: Record<string, string>; isUpdate: boolean },
): Promise<boolean> {
  const taskId = place.dataset.entries ?? ''
  const entries = await readEntries(taskId, headers)
  // The visitor connected another wallet, or disconnected, in the meantime.
  if (readSession()?.address.toLowerCase() !== address.toLowerCase()) return true
  // A failed update keeps the earlier content.
  if (entries === null && isUpdate) return false
  showEntries(place, { taskId, entries, headers })
  place.dataset.shownTo = address.toLowerCase()
  return entries !== null
}
