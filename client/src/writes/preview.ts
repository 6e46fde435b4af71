import type { Address } from 'viem'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { balanceShape } from '../http/shapes.ts'
import { readChallenge } from '../payments/challenge.ts'
import { readJson } from '../reads/read-json.ts'
import type { Limits } from '../store/limits.ts'
import { fillPath } from './begin.ts'
import { findDestination } from './build-withdrawals.ts'
import { checkAct } from './check-act.ts'
import { checkLimits } from './check-limits.ts'
import { judge } from './judge.ts'
import { findOtherAssets } from './other-assets.ts'
import type { Outcome, Preview } from './outcome.ts'
import type { Run } from './run.ts'
import { readTaskFacts } from './task-facts.ts'
import { checkLength, noticeLength } from './task-length.ts'
import { toRefusal } from './to-refusal.ts'
import { type BuildContext, Refused, type WriteSpec } from './write-spec.ts'
import { toBaseUnits, writes } from './write-table.ts'

/** A body of the right form, for a round that cannot act: nothing in it is signed. */
const unsignedFields = ['createPitch', 'createProof']

/**
 * Asks what a write would come to: round one of a paid write, which reserves a key of its own and can do nothing, then
 * whether USDC would move the payment, then what the contracts would do, by a simulation on the client's own node. A write
 * that can act without a payment is not sent at all. Round one has the preflight of the service, by the rules that admit
 * writes; the service simulates the contracts only when the payment is there.
 */
export async function previewWrite<Name extends WriteName>(
  context: ClientContext,
  name: Name,
  input: WriteInput<Name>,
  { limits, long = false }: { limits?: Partial<Limits>; long?: boolean } = {},
): Promise<Preview | Outcome<never>> {
  try {
    const { account } = context
    if (account === null) throw new Refused('no_account', 'A write needs an account.')
    const now = Math.floor(Date.now() / 1000)
    checkLength(name, input, { now, isLong: long })
    const spec = writes[name] as WriteSpec<Name>
    const path = fillPath(spec.path, input)
    const run = { context: { ...context, account } as Run['context'] }
    const taskId = String((input as { taskId?: string }).taskId).toLowerCase()
    const task = spec.needsTask
      ? await readTaskFacts(run, { taskId, ownReward: await readOwnReward(context, taskId) })
      : null
    const decided = spec.decides(input, task)
    const check = (amount: bigint) =>
      checkLimits(context, { name, input, amount, ...(limits !== undefined && { given: limits }) })
    if (name === 'withdraw') {
      const preview = await previewWithdrawal(run.context, input as WriteInput<'withdraw'>)
      await check(preview.counted)
      return preview
    }
    const payTo = context.deployment.forwarder
    const assets = joinNotices(await previewAssets(context, { name, input }), noticeLength(name, input, now))
    const { most, exact } = spec.price(input, task)
    const price = spec.isFree ? null : await askPrice(context, { name, path, input })
    if (price !== null) {
      if (exact === true ? price !== most : price > most) {
        throw new Refused('wrong_price', `The service asks ${price} base units for ${name}; it is to cost ${most}.`)
      }
      await check(decided + price)
      await checkFunds(run.context, { to: payTo, amount: price })
    } else await check(decided + most)
    const isActSimulated = await checkAct(run.context, name, input)
    return { kind: 'preview', price, counted: decided + (price ?? most), payTo, assets, isActSimulated }
  } catch (error) {
    return { kind: 'refused', key: null, isKeyUsable: true, ...toRefusal(error) }
  }
}

/** A withdrawal is a transfer of USDC: what is simulated for other writes as their payment is the act itself. */
async function previewWithdrawal(
  context: Run['context'],
  { amountBaseUnits, to }: WriteInput<'withdraw'>,
): Promise<Preview> {
  const { store, account } = context
  const amount = toBaseUnits(amountBaseUnits)
  const withdrawalAddress = store === null ? null : (await store.config(account.address)).withdrawalAddress
  const read: BuildContext['read'] = async (path, query, shape) => {
    const answer = await readJson(context, path, query, shape)
    if (!answer.ok) throw new Refused('unreachable', answer.message)
    return answer.body as Record<string, unknown>
  }
  const payTo = await findDestination({ account, withdrawalAddress, read }, to)
  const isActSimulated = await checkFunds(context, { to: payTo, amount })
  return {
    kind: 'preview',
    price: null,
    counted: amount,
    payTo,
    assets: { clauses: [], needsPerson: false },
    isActSimulated,
  }
}

function joinNotices(...notices: Preview['assets'][]): Preview['assets'] {
  return {
    clauses: notices.flatMap(({ clauses }) => clauses),
    needsPerson: notices.some(({ needsPerson }) => needsPerson),
  }
}

/** Finds what a write would move beside USDC. Without files of its own a wallet has no hooks and no limits. @throws StoreError */
async function previewAssets(
  context: ClientContext,
  { name, input }: { name: WriteName; input: object },
): Promise<Preview['assets']> {
  const { store, account } = context
  if (store === null || account === null) return { clauses: [], needsPerson: false }
  const config = await store.config(account.address)
  const state = await store.update(account.address, (kept) => structuredClone(kept))
  const { clauses, needsPerson } = await findOtherAssets({ context, config, state }, { name, input })
  return { clauses, needsPerson }
}

/** What this wallet's own records say the task is worth. @throws StoreError */
async function readOwnReward({ store, account }: ClientContext, taskId: string): Promise<bigint> {
  if (store === null || account === null) return 0n
  return await store.update(account.address, (state) => BigInt(state.tasks[taskId]?.reward ?? '0'))
}

/**
 * Whether the wallet can pay now: the payment is simulated where a node answers, else the balance is read. What does not
 * answer refuses nothing.
 * @returns whether it was simulated
 * @throws Refused
 */
async function checkFunds(context: Run['context'], { to, amount }: { to: Address; amount: bigint }): Promise<boolean> {
  const { account, chain } = context
  const from = account.address
  const wouldMove = chain === null ? null : await chain.canTransfer({ from, to, amount }).catch(() => null)
  if (wouldMove ?? (await hasBalance(context, amount))) return wouldMove !== null
  throw new Refused(
    'insufficient_funds',
    `USDC would not move ${amount} base units from ${from} now: it has less, or is not allowed to. Nothing was sent.`,
  )
}

async function hasBalance(context: Run['context'], amount: bigint): Promise<boolean> {
  const answer = await readJson(context, '/api/wallet/balance', { address: context.account.address }, balanceShape)
  return !answer.ok || BigInt((answer.body as { balanceBaseUnits: string }).balanceBaseUnits) >= amount
}

async function askPrice(
  { url, fetch, timing, deployment, account, legalReceipt }: ClientContext,
  { name, path, input }: { name: WriteName; path: string; input: object },
): Promise<bigint> {
  const isBodyless = ['cancelTask', 'refundExpiredTask', 'objectToDelivery'].includes(name)
  const proof = unsignedFields.includes(name) ? { workerAddress: account?.address, signature: '0x00' } : {}
  const headers = {
    'X-Service-Idempotency-Key': crypto.randomUUID(),
    Prefer: 'handling=strict',
    ...(legalReceipt !== null && { 'X-Service-Legal-Receipt': legalReceipt }),
  }
  const body = isBodyless ? null : JSON.stringify({ ...input, ...proof })
  const answer = await sendRequest(fetch, { method: 'POST', url: `${url}${path}`, headers, body }, timing.requestMs)
  const judgement = judge(answer, false)
  if (judgement.kind === 'refused') {
    const { reason, message, ...more } = judgement.refusal
    throw new Refused(reason, message, more)
  }
  if (judgement.kind !== 'challenge') {
    const why = 'problem' in judgement ? ` ${judgement.problem}` : ''
    throw new Refused('unreachable', `The service does not say a price now.${why}`)
  }
  const read = readChallenge(judgement.header, deployment)
  if (!read.ok) throw new Refused('wrong_challenge', `${url}${path}: ${read.problem}`)
  return read.challenge.amount
}
