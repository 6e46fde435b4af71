import type { Client, Preview, WriteName } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'
import { fillDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { loadService } from '../service.ts'
import { shortAddress } from '../session.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { type AnyOutcome, makeWrite } from './make-write.ts'
import { browserLimits, keepConfig, openClient, readConfig } from './open-client.ts'
import { outcomeWords } from './outcome-words.ts'
import { refreshPage } from './refresh-page.ts'
import { sheetRows } from './sheet-rows.ts'
import { type AskedWrite, buttonWords, paymentRows, priceOf } from './sheet-words.ts'
import { makeSteps, type Steps } from './steps.ts'

/** Doubles the spending limits of a wallet in this browser. */
function raiseLimits(address: string): void {
  const { perCall, perDay, perTask } = readConfig(address).limits ?? browserLimits
  const twice = (units: string) => (BigInt(units) * 2n).toString()
  keepConfig(address, { limits: { perCall: twice(perCall), perDay: twice(perDay), perTask: twice(perTask) } })
}

/** Shows the payment and the effects of a write, and sends the write when the person presses the button. */
export async function showSheet(
  dialog: HTMLDialogElement,
  wallet: ConnectedWallet,
  askedWrite: AskedWrite,
): Promise<void> {
  const steps = makeSteps()
  const { act } = askedWrite.words
  const retry = () => void showSheet(dialog, wallet, askedWrite)
  fillDialog(dialog, `${act}?`, [steps.element])
  steps.show(0, 'Trying it out, without signing anything…')
  let isAgreed = false
  const client = await openClient({
    ...wallet,
    account: watched(wallet, (isSigning) => {
      if (isSigning) steps.show(isAgreed ? 1 : 0, 'Waiting for you to sign in your wallet…')
      else if (isAgreed) steps.show(2, 'Sent. Waiting for its block…')
    }),
  })
  const agree = () => {
    isAgreed = true
  }
  const preview = (await client.preview(askedWrite.name, askedWrite.input as never)) as Preview | AnyOutcome
  if (!dialog.open) return
  if (preview.kind !== 'preview')
    return await showOutcome(dialog, preview, { asked: askedWrite, wallet, client, retry })
  await showQuestion(dialog, preview, { asked: askedWrite, wallet, client, steps, agree, retry })
}

interface Sheet {
  asked: AskedWrite
  wallet: ConnectedWallet
  client: Client
  retry: () => void
}

async function showQuestion(
  dialog: HTMLDialogElement,
  preview: Preview,
  { asked, wallet, client, steps, agree, retry }: Sheet & { steps: Steps; agree: () => void },
): Promise<void> {
  const { words } = asked
  const label = buttonWords(words, asked.name, preview)
  const from = `${shortAddress(wallet.account.address)} (${wallet.session.name})`
  const go = async () => {
    agree()
    button.disabled = true
    cancel.hidden = true
    steps.element.hidden = false
    steps.show(1, 'Waiting for you to sign in your wallet…')
    let hasChanged = false
    const decideAgain = async () => {
      hasChanged = true
      return false
    }
    const outcome = await makeWrite({ client, wallet }, asked, { agreed: preview, decideAgain })
    // The payment differs from the confirmed one: the sheet is shown again.
    if (hasChanged) return retry()
    await showOutcome(dialog, outcome, { asked, wallet, client, retry })
  }
  const button = h('button', { class: 'button', type: 'button', onclick: () => void go() }, label)
  const cancel = h('button', { class: 'button quiet', type: 'button', onclick: () => dialog.close() }, 'Cancel')
  steps.element.hidden = true
  fillDialog(dialog, `${label}?`, [
    sheetRows([...paymentRows(asked.name, preview), ['From', from]]),
    words.effects.length > 0 && sheetRows(words.effects),
    preview.assets.clauses.map((clause) => h('p', { class: 'note bad' }, `Beside USDC: ${clause}.`)),
    words.note !== undefined && h('p', {}, h('small', {}, words.note)),
    await walletNote(asked.name, preview, wallet),
    steps.element,
    h('p', { class: 'row' }, button, cancel),
    h(
      'small',
      {},
      'Once you have signed you can close this page: the rest happens without it, and “My work” shows how it ended.',
    ),
  ])
  button.focus()
}

/** Renders a note that tells the person what to expect in the wallet's own window. A demo wallet has no window. */
async function walletNote(name: WriteName, preview: Preview, { provider }: ConnectedWallet) {
  const say = (text: string) => h('p', { class: 'note' }, h('small', {}, text))
  if (provider === null)
    return say('A demo wallet signs by itself. A real wallet would now open its own window for you to confirm.')
  if (name === 'withdrawToken' || name === 'claimSponsoredReward')
    return say('Your wallet will show a message to sign. Signing it moves what is listed above, and nothing else.')
  const { payTo, counted } = preview
  const price = name === 'withdraw' ? counted : priceOf(name, preview)
  if (price === null) return say('Your wallet may show a text to sign. Signing it moves no money.')
  const { deployment } = await loadService()
  const isBound = deployment.bound === true && name !== 'withdraw'
  const type = isBound ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization'
  return h(
    'p',
    { class: 'note' },
    h(
      'small',
      {},
      'Your wallet will show ',
      h('strong', {}, `${type}, ${usdcText(price)} USDC`),
      ' to ',
      h('span', { class: 'hex', title: payTo }, shortAddress(payTo)),
      '. If it shows anything else, refuse.',
    ),
  )
}

async function showOutcome(
  dialog: HTMLDialogElement,
  outcome: AnyOutcome,
  { asked, wallet, client, retry }: Sheet,
): Promise<void> {
  if (outcome.kind === 'refused' && isLegal(outcome)) {
    const { showPolicies } = await import('./legal.ts')
    return await showPolicies(dialog, client, retry)
  }
  const { heading, text, tone } = outcomeWords(outcome, asked.words)
  const close = h('button', { class: 'button quiet', type: 'button', onclick: () => dialog.close() }, 'Close')
  const canRaise = outcome.kind === 'refused' && outcome.reason === 'limit_exceeded'
  const raise = () => {
    raiseLimits(wallet.account.address)
    retry()
  }
  fillDialog(dialog, heading, [
    h('p', { class: `note ${tone}`, role: 'status' }, text),
    'txHash' in outcome && outcome.txHash !== null && (await transactionLink(outcome.txHash)),
    h(
      'p',
      { class: 'row' },
      canRaise && h('button', { class: 'button', type: 'button', onclick: raise }, 'Double the limits of this browser'),
      outcome.kind !== 'completed' &&
        h('button', { class: 'button quiet', type: 'button', onclick: retry }, 'Try again'),
      close,
    ),
  ])
  close.focus()
  if (outcome.kind !== 'completed') return
  asked.onDone?.({ taskId: outcome.taskId })
  const target = asked.page?.({ taskId: outcome.taskId }) ?? null
  if (target !== null) location.assign(target)
  else await refreshPage()
}

async function transactionLink(hash: string) {
  const { explorerUrl } = (await loadService()).chain
  const shortHash = `${hash.slice(0, 10)}…`
  return h(
    'p',
    {},
    'Transaction ',
    explorerUrl === null
      ? h('button', { class: 'copy hex', type: 'button', 'data-copy': hash, title: hash }, shortHash)
      : h('a', { href: `${explorerUrl}/tx/${hash}`, rel: 'noopener' }, shortHash),
  )
}

function isLegal({ status, error }: { status: number | null; error?: unknown }): boolean {
  return status === 403 && JSON.stringify(error ?? '').includes('LEGAL_ACCEPTANCE_REQUIRED')
}

/**
 * Returns an account that signs like the wallet's account, and also reports the start (`true`) and the end (`false`) of
 * each signature to `tell`.
 */
function watched({ account }: ConnectedWallet, tell: (isSigning: boolean) => void): ConnectedWallet['account'] {
  const around = async <T>(sign: () => Promise<T>): Promise<T> => {
    tell(true)
    const signature = await sign()
    tell(false)
    return signature
  }
  return {
    address: account.address,
    signMessage: (message) => around(() => account.signMessage(message)),
    signTypedData: (typedData) => around(() => account.signTypedData(typedData)),
  }
}
