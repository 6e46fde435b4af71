import { fill, find, h } from '../dom.ts'
import { readSession, watchSession } from '../session.ts'
import { note } from './note.ts'

/**
 * A function that starts to follow the wallet's events. The function returns another function, which stops the updates.
 * Null if the page shows no wallet.
 * @param options.isBack true to read the content at once, because events may have been missed
 */
let follow: ((options: { isBack: boolean }) => () => void) | null = null
let stop = () => {}

/** Shows the inbox, the action queue and the amounts of the connected wallet, and keeps them up to date. */
export async function startWorklist(): Promise<void> {
  let address: string | null = null
  const show = () => {
    const next = readSession()?.address ?? null
    if (next !== null && next !== address) void load()
    if (next === null && address !== null) clear()
    address = next
  }
  document.addEventListener('click', async ({ target }) => {
    if (!(target instanceof Element) || target.closest('[data-connect-here]') === null) return
    const { showConnection } = await import('../wallet/connection-dialog.ts')
    await showConnection()
  })
  watchSession(show)
  document.addEventListener('page-refreshed', () => (address === null ? undefined : void load()))
  document.addEventListener('visibilitychange', () => {
    stop()
    if (follow !== null) stop = follow({ isBack: true })
  })
}

/** Removes the content of a wallet that was disconnected. */
function clear(): void {
  clearAccount()
  const place = find('#my-work')
  if (place !== null)
    fill(place, note('No wallet is connected', 'Connect one to see what it has posted, taken and has to do.'))
}

function clearAccount(): void {
  follow = null
  stop()
  for (const id of ['#my-end', '#my-wallet', '#my-account']) {
    const place = find(id)
    if (place !== null) fill(place)
  }
}

async function load(): Promise<void> {
  const place = find('#my-work')
  const address = readSession()?.address
  if (place === null) return
  clearAccount()
  fill(
    place,
    h(
      'p',
      { class: 'soft', role: 'status' },
      'Reading your work. Your wallet may ask you to sign that it is you who reads; that moves no money.',
    ),
  )
  try {
    const [{ openWallet }, { openClient }, { keepCurrent }, { showWork }, { showAccount }, { endNote }, { say }] =
      await Promise.all([
        import('../wallet/connected-wallet.ts'),
        import('../write/open-client.ts'),
        import('./keep-current.ts'),
        import('./work.ts'),
        import('./account.ts'),
        import('../private/end-note.ts'),
        import('../page/patch-in-place.ts'),
      ])
    const wallet = await openWallet()
    if (wallet === null) {
      fill(
        place,
        note(
          'Connect again',
          'The wallet that was connected here is no longer in this browser. Connect it again, or another one.',
        ),
      )
      return
    }
    const client = await openClient(wallet)
    const read = () =>
      Promise.all([showWork(place, { wallet, client, isUpdate: follow !== null }), showAccount(wallet, client)])
    await read()
    // The visitor connected another wallet, or disconnected, in the meantime.
    const next = readSession()?.address
    if (next === undefined) return clear()
    if (next !== address) return await load()
    const onEnd = () => {
      const end = find('#my-end')
      if (end !== null)
        fill(
          end,
          endNote(() => void load()),
        )
    }
    follow = ({ isBack }) => keepCurrent(client, read, { isBack, onEnd })
    say('Your work is shown.')
    stop = follow({ isBack: false })
  } catch (error) {
    fill(place, note('Not shown', (error as Error).message, 'bad'))
  }
}
