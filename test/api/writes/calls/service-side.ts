import { randomBytes, randomUUID } from 'node:crypto'
import { type Address, decodeFunctionData, getAbiItem, type Hex, parseTransaction, zeroAddress } from 'viem'
import { paymentForwarderAbi } from '../../../../abis/payment-forwarder.ts'
import { countArrivingBytes } from '../../../../api/artifacts/byte-accounts.ts'
import type { Deps } from '../../../../api/deps.ts'
import { feedbackBaseOf } from '../../../../api/features/feedback-base.ts'
import { bindReservation, findBoundIntent, reserveIntent } from '../../../../api/intents/intents.queries.ts'
import { decodePayment } from '../../../../api/payments/decode.ts'
import { actionJob } from '../../../../api/relayer/transactions/relay-job.ts'
import { signAttempt } from '../../../../api/relayer/transactions/sign-attempt.ts'
import { writes as routes } from '../../../../api/server/routes.ts'
import type { AnyWrite, WriteInput } from '../../../../api/writes/relayed-write.ts'
import { type AdmittedCall, callOf, findOtherCall } from '../../../../api/writes/stages/call-of.ts'
import { challengeOf } from '../../../../api/writes/stages/challenge-of.ts'
import { checkSignature } from '../../../../api/writes/stages/check-signature.ts'
import type { WriteName } from '../../../../client/src/api/write-names.ts'
import type { EntryMode } from '../../../../protocol/relay.ts'
import { parsedRequest } from '../../../support/parsed-request.ts'
import type { MarketState } from './market-state.ts'

/** A request as a client sent it, on its way through a service in a state of the market. */
export interface Received {
  deps: Deps
  write: AnyWrite
  input: WriteInput
  subject: unknown
}

/** A service whose forwarder takes bound payments, or is from before them. Its tokens have 18 digits. */
export function aService(deps: Deps, { isBound }: { isBound: boolean }): Deps {
  const chain = { ...deps.chain, readContract: async () => 18 as never }
  const { bound: _, ...deployment } = deps.deployment
  return { ...deps, chain, deployment: { ...deployment, ...(isBound && { bound: true as const }) } }
}

/** Parses a request, and loads what its write is admitted on. */
export async function receive(
  deps: Deps,
  { name, body, taskId }: { name: WriteName; body: unknown; taskId: unknown },
  state: MarketState,
): Promise<Received> {
  const write = routes.find(({ operationId }) => operationId === name)
  if (write === undefined) throw new Error(`the service has no ${name}`)
  const sent = JSON.parse(JSON.stringify(body))
  const ids = { taskId, vaultId: sent.vaultId }
  const named = Object.entries(ids).filter(([param]) => write.path.includes(`{${param}}`))
  const request = parsedRequest(write, { params: Object.fromEntries(named), body: sent })
  const arriving = countArrivingBytes(deps, randomUUID())
  await arriving.reserve(1_000)
  return { deps, write, input: { ...request, arriving }, subject: subjectOf(deps, state, request) }
}

/** What the writes of the service load from rows and contracts, of all of them together. */
function subjectOf({ config }: Pick<Deps, 'config'>, state: MarketState, request: WriteInput): unknown {
  const { winners = [] } = request.body as { winners?: { worker: Address; submissionId?: Hex }[] }
  const deliverableOf = (wanted: Hex | undefined) => {
    const row = state.submissions.find(({ id }) => id === wanted)
    return row && { deliverable: row.deliverableHash }
  }
  const { payout } = state
  return {
    // The facts of a write are those of its task, or of a record that has the task.
    ...state.task,
    ...state,
    feedbackBase: feedbackBaseOf(config),
    winners: winners.map(({ worker, submissionId }) => ({ worker, pinned: deliverableOf(submissionId) })),
    destination: payout.destination,
    programme: payout.programme,
    claimable: payout.entitlement.amount,
    vault: { ...payout.vault, owner: zeroAddress, isApproved: true },
    counter: payout.counter,
  }
}

/** The challenge of a paid request. */
export function askPayment({ deps, write, subject, input }: Received): string {
  const { amount } = write.charge(subject, input)
  return challengeOf(deps, write, { amount, path: `/api${write.path}`, error: 'This write is paid.' }).header
}

/** The transaction of an admitted request as a relayer signs it, decoded; with the call that the service has made. */
export interface SentCall {
  prepared: { target: Address; data: Hex }
  escrow: bigint
  chainIntentId: Hex
  to: Address
  data: Hex
}

/**
 * Checks the proof of the actor, makes the call, binds it to a reservation, reads it again and signs its transaction.
 * @throws when the service makes another call than a bound payment names
 */
export async function relayByService(
  received: Received,
  { mode, actor, payment }: { mode: EntryMode | null; actor: Address; payment: string | null },
): Promise<SentCall> {
  const { deps, write, input, subject } = received
  const claimed = mode === 'open' ? null : (write.signed?.(input, subject, deps) ?? null)
  const isProof = mode === 'signed' || mode === null
  const signed = claimed !== null && isProof ? await checkSignature(deps, claimed) : null
  const paid = payment === null ? null : (decodePayment(payment).payment?.authorization ?? null)
  const prepared = await write.prepare(deps, subject, input, actor, paid)
  if ('failure' in prepared) throw new Error(JSON.stringify(prepared.failure))
  const [address, head] = [mode === 'open' ? null : actor, await deps.chain.latestHead()]
  const admitted: AdmittedCall = { write, input, subject, mode, head, signed, address, payment: paid }
  const other = findOtherCall(deps, admitted, { prepared, intent: {} })
  if (other !== null) throw other
  const { escrow } = write.charge(subject, input)
  return { prepared, escrow, ...(await signStored(deps, admitted, callOf(deps, admitted, prepared))) }
}

async function signStored(deps: Deps, { write }: AdmittedCall, call: ReturnType<typeof callOf>) {
  const id = randomUUID()
  const key = { idempotencyKey: randomUUID(), operation: write.operation, fingerprint: randomBytes(32) }
  await reserveIntent(deps.sql, { id, ...key })
  const terms = { relayClass: 'plain' as const, gasLimit: null, gas: null }
  if (!(await bindReservation(deps.sql, { id, ...call, terms }))) throw new Error('the reservation was not bound')
  const intent = await findBoundIntent(deps.sql, id)
  if (intent === null) throw new Error('the write was not stored')
  // Equal bytes may come again: what they fund is free once more.
  await deps.sql`delete from intents where id = ${id}`
  const { call: transaction, purpose } = actionJob(intent, deps.deployment)
  const fees = await deps.chain.estimateFeesPerGas()
  const unsent = { intentId: id, purpose, ...transaction, gasLimit: 1n, fees }
  const { raw } = await signAttempt(deps, unsent, { relayer: deps.relayer.accounts[0], nonce: 0n })
  const { to, data } = parseTransaction(raw)
  if (to == null || data === undefined) throw new Error('the transaction calls nothing')
  return { chainIntentId: intent.chainIntentId, to, data }
}

/** Decodes data of the forwarder to its arguments by name, addresses in lower case. */
export function decodeRelay(data: Hex): Record<string, unknown> {
  const { functionName, args = [] } = decodeFunctionData({ abi: paymentForwarderAbi, data })
  const { inputs } = getAbiItem({ abi: paymentForwarderAbi, name: functionName as 'relayBound' })
  const named = inputs.map(({ name }, at) => [name, lowered(args[at])])
  return { functionName, ...Object.fromEntries(named) }
}

function lowered(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('0x') ? value.toLowerCase() : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, lowered(part)]))
}
