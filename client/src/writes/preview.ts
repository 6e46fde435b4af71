import type { Address } from 'viem'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { Account } from '../account/account.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { balanceShape } from '../http/shapes.ts'
import { readChallenge } from '../payments/challenge.ts'
import { readJson } from '../reads/read-json.ts'
import type { Limits } from '../store/limits.ts'
import { readOwnReward } from '../store/own-reward.ts'
import type { Choices } from '../store/store.ts'
import { fillPath } from './begin.ts'
import { checkSwitch } from './build-bound-only.ts'
import { amountOf, findDestination } from './build-withdrawals.ts'
import { checkAct } from './check-act.ts'
import { checkLimits } from './check-limits.ts'
import { chooseValues } from './choose-values.ts'
import { encodeWrite } from './encode-write.ts'
import { judge } from './judge.ts'
import { findOtherAssets } from './other-assets.ts'
import type { Outcome, Preview } from './outcome.ts'
import { readTaskFacts } from './task-facts.ts'
import { checkLength, noticeLength } from './task-length.ts'
import { toRefusal } from './to-refusal.ts'
import { chargeOf, decidedBy, planRequest, unsignedBody } from './write-request.ts'
import { type BuildContext, type Fields, type Operation, Refused, type TaskFacts } from './write-spec.ts'
import { writes } from './write-table.ts'

/**
 * Returns the cost and the effects that a write would have now. Makes no write.
 *
 * For a write that always needs a payment, the service checks a request without a payment and returns the price. Then
 * the client's node simulates the USDC transfer and the contract call. Without a node, nothing is simulated: the
 * service simulates only paid requests.
 *
 * If a write could take effect without a payment, the client does not send the write to the service. The preview then
 * has no price, and the client's node simulates only the contract call.
 */
export async function previewWrite<Name extends WriteName>(
  context: ClientContext,
  name: Name,
  input: WriteInput<Name>,
  { limits, long = false, choices }: PreviewOptions = {},
): Promise<Preview | Outcome<never>> {
  try {
    const { account } = context
    if (account === null) throw new Refused('no_account', 'A write needs an account.')
    const now = Math.floor(Date.now() / 1000)
    checkLength(name, input, { now, isLong: long })
    const limitsOption = limits === undefined ? {} : { given: limits }
    const check = (amount: bigint) => checkLimits(context, { name, input, amount, ...limitsOption })
    const askedWrite = { name, input: { ...input }, check, ...(choices && { choices }) }
    if (writes[name].build !== undefined) return await previewSigned({ ...context, account }, askedWrite)
    const notice = noticeLength(name, input, now)
    return await previewForwarded({ ...context, account }, { ...askedWrite, notice })
  } catch (error) {
    return { kind: 'refused', key: null, isKeyUsable: true, ...toRefusal(error) }
  }
}

/** The options of a dry run. */
export interface PreviewOptions {
  limits?: Partial<Limits>
  long?: boolean
  /**
   * The values that an earlier dry run chose. If two dry runs use the same values, their contract calls can be
   * compared.
   */
  choices?: Choices
}

type Context = ClientContext & { account: Account }

interface Asked {
  name: WriteName
  input: Fields
  choices?: Choices
  /**
   * Checks an amount against the wallet's limits.
   * @throws Refused when the amount exceeds a limit
   */
  check(amount: bigint): Promise<void>
}

async function previewForwarded(
  context: Context,
  { name, input: askedInput, check, notice, choices: earlierChoices }: Asked & { notice: Preview['assets'] },
): Promise<Preview> {
  const spec = writes[name]
  const { operation, isFree } = spec
  const path = fillPath(spec.path, askedInput)
  const task = spec.needsTask ? await readTask(context, String(askedInput.taskId).toLowerCase()) : null
  const { account } = context
  const choices = earlierChoices ?? (await chooseValues(context, operation, askedInput))
  const plan = planRequest(operation, { ...askedInput, ...choices }, { account, task })
  const { input } = plan
  const decidedAmount = decidedBy(operation, input, { task, wallet: account.address })
  const payTo = context.deployment.forwarder
  const assets = joinNotices(await previewAssets(context, { name, input: askedInput }), notice)
  const charge = chargeOf(operation, input, task)
  const price = isFree ? null : await askPrice(context, { path, body: unsignedBody(operation, plan) })
  if (price !== null) {
    if (price < charge.least || price > charge.most) {
      throw new Refused(
        'wrong_price',
        `The service asks ${price} base units for ${name}; it is to cost ${charge.most}.`,
      )
    }
    await check(decidedAmount + price)
    await checkFunds(context, { to: payTo, amount: price })
  } else await check(decidedAmount + charge.most)
  const act = await previewCall(context, operation, { input, task })
  return { kind: 'preview', price, counted: decidedAmount + (price ?? charge.most), payTo, assets, choices, ...act }
}

/**
 * Encodes the contract call and simulates it.
 * @throws Refused when the contracts would revert
 */
async function previewCall(
  context: Context,
  operation: Operation,
  askedCall: { input: Fields; task: TaskFacts | null },
): Promise<Pick<Preview, 'call' | 'callProblem' | 'isActSimulated'>> {
  let call: ContractCall
  try {
    call = await encodeWrite(context, operation, askedCall)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { call: null, callProblem: error.message, isActSimulated: false }
  }
  return { call, callProblem: null, isActSimulated: await checkAct(context, call) }
}

async function readTask(context: Context, taskId: string): Promise<TaskFacts> {
  return await readTaskFacts(context, { taskId, ownReward: await readOwnReward(context, taskId) })
}

/**
 * The values that the previews of all owner-signed writes have in common. An owner-signed write has no price. Its
 * contract call contains the wallet's signature, so the call cannot be encoded before the wallet has signed.
 */
const withoutCall = {
  price: null,
  assets: { clauses: [], needsPerson: false },
  call: null,
  callProblem: 'The call has its signature in it.',
  choices: {},
}

async function previewSigned(context: Context, { name, input, check }: Asked): Promise<Preview> {
  const { kind } = writes[name].operation
  if (kind === 'transfer') return await previewTransfer(context, { name, input, check })
  if (kind === 'switch') checkSwitch(context.deployment)
  await check(0n)
  const payTo = context.deployment.forwarder
  return { kind: 'preview', ...withoutCall, counted: 0n, payTo, isActSimulated: false }
}

/**
 * Previews a withdrawal of USDC. The simulation is the same as for a USDC payment, because a withdrawal is a USDC
 * transfer.
 */
async function previewTransfer(context: Context, { input, check }: Asked): Promise<Preview> {
  const { store, account } = context
  const amount = amountOf(String(input.amountBaseUnits))
  const withdrawalAddress = store === null ? null : (await store.config(account.address)).withdrawalAddress
  const read: BuildContext['read'] = async (path, query, shape) => {
    const answer = await readJson(context, path, query, shape)
    if (!answer.ok) throw new Refused('unreachable', answer.message)
    return answer.body as Record<string, unknown>
  }
  const payTo = await findDestination({ account, withdrawalAddress, read }, input.to)
  const isActSimulated = await checkFunds(context, { to: payTo, amount })
  await check(amount)
  return { kind: 'preview', ...withoutCall, counted: amount, payTo, isActSimulated }
}

function joinNotices(...notices: Preview['assets'][]): Preview['assets'] {
  return {
    clauses: notices.flatMap(({ clauses }) => clauses),
    needsPerson: notices.some(({ needsPerson }) => needsPerson),
  }
}

/**
 * Finds the assets other than USDC that a write would move. If the client has no store, the result is empty, because
 * there is no configuration and no journal.
 * @throws StoreError
 */
async function previewAssets(
  context: ClientContext,
  { name, input }: { name: WriteName; input: object },
): Promise<Preview['assets']> {
  const { store, account } = context
  if (store === null || account === null) return { clauses: [], needsPerson: false }
  const config = await store.config(account.address)
  const state = await store.update(account.address, (keptState) => structuredClone(keptState))
  const { clauses, needsPerson } = await findOtherAssets({ context, config, state }, { name, input })
  return { clauses, needsPerson }
}

/**
 * Checks that the wallet can pay the amount now. Simulates the payment on the node. Without an answer of a node, reads
 * the balance from the service. If the service does not answer either, the check passes.
 * @returns true if the payment was simulated
 * @throws Refused when the wallet cannot pay
 */
async function checkFunds(context: Context, { to, amount }: { to: Address; amount: bigint }): Promise<boolean> {
  const { account, chain } = context
  const from = account.address
  const wouldMove = chain === null ? null : await chain.canTransfer({ from, to, amount }).catch(() => null)
  if (wouldMove ?? (await hasBalance(context, amount))) return wouldMove !== null
  throw new Refused(
    'insufficient_funds',
    `USDC would not move ${amount} base units from ${from} now: it has less, or is not allowed to. Nothing was sent.`,
  )
}

async function hasBalance(context: Context, amount: bigint): Promise<boolean> {
  const answer = await readJson(context, '/api/wallet/balance', { address: context.account.address }, balanceShape)
  return !answer.ok || BigInt((answer.body as { balanceBaseUnits: string }).balanceBaseUnits) >= amount
}

async function askPrice(
  { url, fetch, timing, deployment, legalReceipt }: Context,
  { path, body: fields }: { path: string; body: Fields | null },
): Promise<bigint> {
  const headers = {
    'X-Service-Idempotency-Key': crypto.randomUUID(),
    Prefer: 'handling=strict',
    ...(legalReceipt !== null && { 'X-Service-Legal-Receipt': legalReceipt }),
  }
  const body = fields === null ? null : JSON.stringify(fields)
  const answer = await sendRequest(fetch, { method: 'POST', url: `${url}${path}`, headers, body }, timing.requestMs)
  const judgement = judge(answer, false)
  if (judgement.kind === 'refused') {
    const { reason, message, ...extraFields } = judgement.refusal
    throw new Refused(reason, message, extraFields)
  }
  if (judgement.kind !== 'challenge') {
    const why = 'problem' in judgement ? ` ${judgement.problem}` : ''
    throw new Refused('unreachable', `The service does not say a price now.${why}`)
  }
  const reading = readChallenge(judgement.header, deployment)
  if (!reading.ok) throw new Refused('wrong_challenge', `${url}${path}: ${reading.problem}`)
  return reading.challenge.amount
}
