import { fill, h } from '../dom.ts'
import { readSession } from '../session.ts'
import { heldIdentity } from '../write/identity-of-tab.ts'
import { endNote } from './end-note.ts'
import { readEntries, showEntries } from './entries.ts'

/** Shows the entries of a public task that are not for all, as far as the connected wallet may see them: it signs who reads. */
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

/** Shows them by what the wallet has signed before; where it would have to sign, what is there stays. @returns whether they were read */
export async function updateOwnEntries(place: HTMLElement): Promise<boolean> {
  const address = readSession()?.address ?? ''
  const headers = heldIdentity(address)
  return headers === null || (await show(place, { address, headers, isUpdate: place.dataset.shownTo !== undefined }))
}

/** Says that they are not kept up to date any more. */
export function endOwnEntries(place: HTMLElement): void {
  if (place.querySelector('.note') === null) place.append(endNote(() => void showOwnEntries(place)))
}

async function show(
  place: HTMLElement,
  { address, headers, isUpdate }: { address: string; headers: Record<string, string>; isUpdate: boolean },
): Promise<boolean> {
  const taskId = place.dataset.entries ?? ''
  const entries = await readEntries(taskId, headers)
  // Another wallet, or none, was connected in the meantime.
  if (readSession()?.address.toLowerCase() !== address.toLowerCase()) return true
  // An update that fails leaves what is there.
  if (entries === null && isUpdate) return false
  showEntries(place, { taskId, entries, headers })
  place.dataset.shownTo = address.toLowerCase()
  return entries !== null
}
