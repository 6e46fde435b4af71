import { openDialog } from '../dialog.ts'
import { fill, h } from '../dom.ts'
import { readSession, shortAddress, watchSession } from '../session.ts'
import { type ConnectedWallet, openWallet } from '../wallet/connected-wallet.ts'
import { requireWallet } from '../wallet/connection-dialog.ts'
import { WalletRefused } from '../wallet/wallet-refused.ts'
import { type AnyOutcome, isFinal } from './make-write.ts'
import { openClient } from './open-client.ts'
import { dropWrite, keepWrite, listWrites, type OpenWrite } from './open-writes.ts'
import { outcomeWords } from './outcome-words.ts'
import { refreshPage } from './refresh-page.ts'
import { sheetRows } from './sheet-rows.ts'

/**
 * Codes of a refusal after which the person may send the write again: the service never got the write, or the write can
 * no longer reach the service.
 */
const unsentReasons: readonly string[] = ['write_reserved', 'unknown_key', 'never_arrived']
/** Pause in milliseconds between two look-ups of a write. The time limit of one look-up is the same. */
const PAUSE_MS = 3_000

/**
 * Continues the writes whose outcome was unknown when the visitor left the page. Looks up each write by its idempotency
 * key. If the service does not know the key, the person can send the same body again with this key.
 */
export async function resumeWrites(): Promise<void> {
  const list = h('ul', { class: 'tight' })
  const region = h('aside', { class: 'open-writes', 'aria-label': 'Writes on their way' }, list)
  const lines = (await listWrites()).map((write) => ({ write, line: h('li', { class: 'note wait', role: 'status' }) }))
  list.append(...lines.map(({ line }) => line))
  if (lines.length > 0) document.querySelector('main')?.before(region)
  // A write belongs to one wallet; its line says so while another wallet is connected.
  watchSession(() => {
    for (const { write, line } of lines) if (!endedLines.has(line)) void follow(write, line)
  })
}

/** The list items of writes whose outcome is final. These items are not updated again. */
const endedLines = new WeakSet<HTMLElement>()

function isConnected({ wallet }: OpenWrite): boolean {
  return readSession()?.address === wallet
}

function askForWallet({ title, wallet }: OpenWrite, line: HTMLElement): void {
  fill(line, h('strong', {}, title), h('small', {}, `Connect ${shortAddress(wallet)} to see what became of it.`))
}

/**
 * Looks up a write repeatedly, and shows the write's state in a list item.
 * @param isAsked true after a click of the person; only then may the wallet be asked to switch the chain
 */
async function follow(write: OpenWrite, line: HTMLElement, isAsked = false): Promise<void> {
  const title = h('strong', {}, write.title)
  if (!isConnected(write)) return askForWallet(write, line)
  fill(line, title, h('small', {}, 'Looking up what became of it…'))
  try {
    const wallet = await openWallet({ switchesChain: isAsked })
    if (wallet === null) return askForWallet(write, line)
    const client = await openClient(wallet)
    for (;;) {
      // The journal stores a payment before the wallet signs. An unknown write can be sent again with it at once, before its
      // window is over.
      const outcome = await client.lookUp(write.key, { waitMs: PAUSE_MS })
      if (!isConnected(write)) return
      if (outcome.kind === 'unknown') return showUnknown(write, line)
      if (isFinal(outcome)) return await showFinal(write, line, outcome)
      fill(line, title, h('small', {}, 'Signed and sent; the chain has not confirmed it yet.'))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      if (!isConnected(write)) return
    }
  } catch (error) {
    fill(
      line,
      title,
      h('small', {}, (error as Error).message),
      h(
        'p',
        { class: 'row' },
        button('Look it up', () => void follow(write, line, true)),
      ),
    )
  }
}

async function showFinal(write: OpenWrite, line: HTMLElement, outcome: AnyOutcome): Promise<void> {
  const wasNotSent = outcome.kind === 'refused' && unsentReasons.includes(outcome.reason)
  if (wasNotSent) return showUnsent(write, line)
  await dropWrite(write.key)
  endedLines.add(line)
  const { text, tone } = outcomeWords(outcome, { title: write.title, done: 'Done.' })
  line.className = `note ${tone}`
  const page = outcome.kind === 'completed' && outcome.taskId !== null ? `/tasks/${outcome.taskId}` : write.page
  fill(
    line,
    h('strong', {}, write.title),
    h('small', {}, text),
    page !== location.pathname && h('a', { href: page }, 'Look at it'),
  )
  if (outcome.kind === 'completed' && write.page === `${location.pathname}${location.search}`) await refreshPage()
}

/** Shows that a write was not sent or can no longer arrive. Adds buttons to send or to delete the write. */
function showUnsent(write: OpenWrite, line: HTMLElement): void {
  fill(
    line,
    h('strong', {}, write.title),
    h('small', {}, 'It did not reach the service, and cannot any more. Nothing was charged.'),
    h(
      'p',
      { class: 'row' },
      // The clock price has changed; the page of the task shows the current one.
      write.name === 'acceptAuction'
        ? h('a', { class: 'button', href: write.page }, 'See the price now')
        : againButton(() => void askAgain(write, line)),
      dropButton(write, line),
    ),
  )
}

function showUnknown(write: OpenWrite, line: HTMLElement): void {
  fill(
    line,
    h('strong', {}, write.title),
    h(
      'small',
      {},
      'The service has not received it. Send it again: it uses the same payment, so nothing is paid twice.',
    ),
    sheetRows([...write.payment, ...write.effects]),
    h(
      'p',
      { class: 'row' },
      againButton(() => void send(write, line)),
    ),
  )
}

function againButton(onclick: () => void) {
  return button('Send it again', onclick)
}

function button(label: string, onclick: () => void) {
  return h('button', { class: 'button', type: 'button', onclick }, label)
}

function dropButton(write: OpenWrite, line: HTMLElement) {
  const drop = async () => {
    await dropWrite(write.key)
    line.remove()
  }
  return h('button', { class: 'button quiet', type: 'button', onclick: () => void drop() }, 'Forget it')
}

/**
 * Returns the wallet that confirmed the write.
 * @throws WalletRefused if another wallet is connected
 */
async function walletOf({ wallet: address }: OpenWrite): Promise<ConnectedWallet> {
  const wallet = await requireWallet()
  if (wallet.account.address === address) return wallet
  throw new WalletRefused(`Another wallet is connected than ${shortAddress(address)}. Nothing was signed.`)
}

/**
 * Sends the write with a new idempotency key, because the service no longer accepts the earlier key. First shows the
 * payment sheet with the current payment.
 */
async function askAgain(write: OpenWrite, line: HTMLElement): Promise<void> {
  const { name, input, title, page, effects } = write
  const isHere = page === `${location.pathname}${location.search}`
  try {
    const [wallet, { showSheet }] = await Promise.all([walletOf(write), import('./payment-sheet.ts')])
    await dropWrite(write.key)
    write.key = crypto.randomUUID()
    await keepWrite(write)
    await openDialog(title, (dialog) => {
      void showSheet(dialog, wallet, {
        name,
        input,
        words: { act: 'Send it again', title, effects: [...effects], done: 'Done.' },
        page: isHere ? null : ({ taskId }) => (taskId === null ? page : `/tasks/${taskId}`),
        onDone: () => line.remove(),
      })
      return []
    })
  } catch (error) {
    await showFailure(write, error)
  }
}

/** Sends a stored write again, with the same body, idempotency key and confirmed payment. */
async function send(write: OpenWrite, line: HTMLElement): Promise<void> {
  try {
    const client = await openClient(await walletOf(write))
    fill(line, h('strong', {}, write.title), h('small', {}, 'Sending…'))
    const outcome = (await client.write(write.name, write.input as never, {
      key: write.key,
      isConfirmed: true,
      long: true,
    })) as AnyOutcome
    if (isFinal(outcome)) return await showFinal(write, line, outcome)
    await follow(write, line)
  } catch (error) {
    await showFailure(write, error)
  }
}

async function showFailure({ title }: OpenWrite, error: unknown): Promise<void> {
  await openDialog(title, () => [h('p', { class: 'note bad' }, (error as Error).message)])
}
