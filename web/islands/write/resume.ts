import { openDialog } from '../dialog.ts'
import { fill, h } from '../dom.ts'
import { readSession, shortAddress } from '../session.ts'
import { openWallet } from '../wallet/connected-wallet.ts'
import { requireWallet } from '../wallet/connection-dialog.ts'
import { type AnyOutcome, isFinal } from './make-write.ts'
import { openClient } from './open-client.ts'
import { dropWrite, listWrites, type OpenWrite } from './open-writes.ts'
import { outcomeWords } from './outcome-words.ts'
import { refreshPage } from './refresh-page.ts'

/** Reasons of a write of which nothing was sent, or nothing can arrive any more. */
const unsentReasons: readonly string[] = ['write_reserved', 'unknown_key', 'never_arrived']
/** Between two looks at a write that is on its way, milliseconds; a look that finds nothing takes as long. */
const PAUSE_MS = 3_000

/**
 * Goes on with the writes that this browser left open, such as by a reload: each is looked up by its key, and one that the
 * service does not know can be sent again, the same body under the same key.
 */
export async function resumeWrites(): Promise<void> {
  const list = h('ul', { class: 'tight' })
  const region = h('aside', { class: 'open-writes', 'aria-label': 'Writes on their way' }, list)
  for (const write of await listWrites()) {
    const line = h('li', { class: 'note wait', role: 'status' })
    list.append(line)
    void follow(write, line)
  }
  if (list.childElementCount > 0) document.querySelector('main')?.before(region)
}

async function follow(write: OpenWrite, line: HTMLElement): Promise<void> {
  const title = h('strong', {}, write.title)
  const askForWallet = () =>
    fill(line, title, h('small', {}, `Connect ${shortAddress(write.wallet)} to see what became of it.`))
  if (readSession()?.address !== write.wallet) return askForWallet()
  fill(line, title, h('small', {}, 'Looking up what became of it…'))
  try {
    const wallet = await openWallet()
    if (wallet === null) return askForWallet()
    const client = await openClient(wallet)
    for (;;) {
      // The journal has a payment before the wallet is asked. A write of which the service knows nothing is offered to be sent
      // again with it at once, not only when its window is over.
      const outcome = await client.lookUp(write.key, { waitMs: PAUSE_MS })
      if (outcome.kind === 'unknown') return showUnknown(write, line)
      if (isFinal(outcome)) return await showFinal(write, line, outcome)
      fill(line, title, h('small', {}, 'Signed and sent; the chain has not confirmed it yet.'))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  } catch (error) {
    fill(line, title, h('small', {}, (error as Error).message))
  }
}

async function showFinal(write: OpenWrite, line: HTMLElement, outcome: AnyOutcome): Promise<void> {
  const wasNotSent = outcome.kind === 'refused' && unsentReasons.includes(outcome.reason)
  if (wasNotSent) return showUnsent(write, line)
  await dropWrite(write.key)
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

/** Nothing was sent, or nothing can arrive any more. */
function showUnsent(write: OpenWrite, line: HTMLElement): void {
  fill(
    line,
    h('strong', {}, write.title),
    h('small', {}, 'It did not reach the service, and cannot any more. Nothing was charged.'),
    h('p', { class: 'row' }, sendButton(write, line, 'Send it again'), dropButton(write, line)),
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
    h('p', { class: 'row' }, sendButton(write, line, 'Send it again')),
  )
}

function sendButton(write: OpenWrite, line: HTMLElement, label: string) {
  return h('button', { class: 'button', type: 'button', onclick: () => void send(write, line) }, label)
}

function dropButton(write: OpenWrite, line: HTMLElement) {
  const drop = async () => {
    await dropWrite(write.key)
    line.remove()
  }
  return h('button', { class: 'button quiet', type: 'button', onclick: () => void drop() }, 'Forget it')
}

/** The same body under the same key. */
async function send(write: OpenWrite, line: HTMLElement): Promise<void> {
  try {
    const client = await openClient(await requireWallet())
    fill(line, h('strong', {}, write.title), h('small', {}, 'Sending…'))
    const outcome = (await client.write(write.name, write.input as never, {
      key: write.key,
      isConfirmed: true,
      long: true,
    })) as AnyOutcome
    if (isFinal(outcome)) return await showFinal(write, line, outcome)
    await follow(write, line)
  } catch (error) {
    await openDialog(write.title, () => [h('p', { class: 'note bad' }, (error as Error).message)])
  }
}
