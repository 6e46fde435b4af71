import { fill, h } from '../dom.ts'
import { requireWallet } from '../wallet/connection-dialog.ts'
import { openClient } from '../write/open-client.ts'
import { showEntries } from './entries.ts'

/** Shows the entries of a public task that are not for all, as far as the connected wallet may see them. */
export async function showOwnEntries(place: HTMLElement): Promise<void> {
  try {
    const { context } = await openClient(await requireWallet())
    await showEntries(place, place.dataset.entries ?? '', await context.identity())
    place.dataset.shownTo = context.account?.address.toLowerCase() ?? ''
  } catch (error) {
    fill(place, h('p', { class: 'note bad', role: 'alert' }, (error as Error).message))
  }
}
