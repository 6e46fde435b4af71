import { randomUUID } from 'node:crypto'
import { type Address, type Hex, type PrivateKeyAccount, parseEventLogs, toHex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { readDeployment } from '../../../api/chain/deployment.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import type { Deps } from '../../../api/deps.ts'
import type { Refusal } from '../../../api/domain/refusal.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { setBoundOnly } from '../../../api/features/wallet/set-bound-only.ts'
import { withdraw } from '../../../api/features/wallet/withdraw.ts'
import { insertContent } from '../../../api/intents/content.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { bindReservation, findBoundIntent, reserveIntent } from '../../../api/intents/intents.queries.ts'
import { kindOf } from '../../../api/intents/operations.ts'
import { paymentOf } from '../../../api/intents/relayed-call.ts'
import {
  authorizationTypedData,
  type PaymentAuthorization,
  type TransferAuthorization,
} from '../../../api/payments/authorization.ts'
import { readSwitchCounter } from '../../../api/payments/bound-only-switch.ts'
import { type Attempt, listAttempts } from '../../../api/relayer/transactions/attempts.queries.ts'
import { createRelayerPort } from '../../../api/relayer/transactions/relayer-services.ts'
import { type Loops, startLoops } from '../../../api/start-loops.ts'
import type { AnyWrite, PreparedCall } from '../../../api/writes/relayed-write.ts'
import { createWriteServices } from '../../../api/writes/write-services.ts'
import { boundNonceOf, boundOnlyText } from '../../../protocol/bound-call.ts'
import { isBound, isForwarded } from '../../../protocol/relay.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { startTestApi } from '../../support/api.ts'
import { oneNode } from '../../support/one-node.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { startTestStack, type TestStack, type TestStackOptions } from '../../support/stack.ts'
import { createWallets, type Wallets } from './wallets.ts'

/** What a test's bounty costs, base units. */
export const REWARD = 1_000_000n

/** The relay in this process, on a chain and a database of its own; no HTTP, and the indexer's tables without it. */
export interface RelayHarness {
  stack: TestStack
  wallets: Wallets
  deps: Deps
  /** A recorded create, as the pipeline leaves it after bind. The relay is told. */
  bindCreate(payer: PrivateKeyAccount, changes?: Partial<PaymentAuthorization>): Promise<BoundIntent>
  /** The same with a payment that is bound to the call. */
  bindBoundCreate(payer: PrivateKeyAccount): Promise<BoundIntent>
  /** A recorded withdrawal, by an authorization that any account may submit; the transfer is signed by its owner. */
  bindWithdrawal(owner: PrivateKeyAccount, to: Address): Promise<BoundIntent>
  /** A recorded switch of a wallet that takes bound calls alone. */
  bindSwitch(owner: PrivateKeyAccount, isOn: boolean): Promise<BoundIntent>
  /** Starts relaying with the first `relayerCount` relayers. */
  startRelay(relayerCount?: number): Promise<Loops>
  /** The intent once it is completed, failed or held. Throws after ten seconds. */
  outcomeOf(intentId: string): Promise<BoundIntent>
  find(intentId: string): Promise<BoundIntent>
  attemptsOf(intentId: string): Promise<Attempt[]>
  /** Plays the indexer: its rows about relayed calls and refunds say what the chain says now, up to the head. */
  index(): Promise<void>
  /** How often the forwarder relayed this intent, by its logs. */
  effectsOf(intent: BoundIntent): Promise<number>
  stop(): Promise<void>
}

/** @param options of the chain; the tables are those of a service on rows, beside it */
export async function startRelayHarness(options: Pick<TestStackOptions, 'beforeBound'> = {}): Promise<RelayHarness> {
  const stack = await startTestStack({ ...options, indexer: false, api: false })
  const api = await startTestApi({
    RPC_URL: stack.anvil.url,
    RELAYER_KEYS: devRelayers()
      .map(({ privateKey }) => privateKey)
      .join(','),
    POLLING_INTERVAL_MS: '50',
    RESEND_AFTER_MS: '300',
    REPLACE_AFTER_MS: '1500',
  })
  const deployment = await readDeployment(stack.deploymentFile)
  const nodes = oneNode(stack.anvil.url)
  const chain = createChain({ nodes, deployment, findIndexed: () => null, isStale: () => false })
  const { relayer, config } = api.deps
  // A connection for each relayer and each of the loops.
  const sql = connectDatabase({ url: config.DATABASE_URL, max: 12 })
  const writes = createWriteServices(sql, createRelayerPort(relayer, chain))
  await writes.start()
  const deps: Deps = { ...api.deps, sql, deployment, chain, writes }
  const running: Loops[] = []
  const find = async (intentId: string) => {
    const intent = await findBoundIntent(sql, intentId)
    if (intent === null) throw new Error(`intent ${intentId} is not bound`)
    return intent
  }
  return {
    stack,
    wallets: createWallets(stack),
    deps,
    bindCreate: (payer, changes) => bindCreate(deps, payer, changes),
    bindBoundCreate: (payer) => bindBoundCreate(deps, payer),
    bindWithdrawal: (owner, to) => bindWithdrawal(deps, owner, to),
    bindSwitch: (owner, isOn) => bindSwitch(deps, owner, isOn),
    startRelay: async (relayerCount = 1) => {
      const [first, ...rest] = relayer.accounts
      const loops = await startLoops(
        { ...deps, relayer: { ...relayer, accounts: [first, ...rest.slice(0, relayerCount - 1)] } },
        [createTask, withdraw, setBoundOnly],
      )
      running.push(loops)
      return loops
    },
    outcomeOf: async (intentId) => {
      const outcome = await writes.outcomes.wait(intentId, AbortSignal.timeout(30_000))
      if (outcome === null) throw new Error(`intent ${intentId} is still ${(await find(intentId)).status}`)
      return outcome
    },
    find,
    attemptsOf: (intentId) => listAttempts(sql, [intentId]),
    index: () => index(deps, stack),
    effectsOf: async ({ chainIntentId }) => {
      const logs = await stack.client.getLogs({ address: deployment.forwarder, fromBlock: 0n })
      const relayed = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs })
      return relayed.filter(({ args }) => args.intentId === chainIntentId).length
    },
    stop: async () => {
      await Promise.all(running.map((loops) => loops.stop()))
      await writes.stop()
      await sql.end()
      await api.stop()
      await stack.stop()
    },
  }
}

async function index({ sql, deployment }: Deps, { client }: TestStack): Promise<void> {
  const { number, timestamp } = await client.getBlock()
  const logs = await client.getLogs({ address: deployment.forwarder, fromBlock: 0n })
  const placeOf = (log: (typeof logs)[number]) => ({
    blockNumber: log.blockNumber,
    blockTimestamp: 0n,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    logIndex: log.logIndex,
  })
  const relays = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs })
  const refunds = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'PrepaidRefunded', logs })
  await sql.begin(async (tx) => {
    await tx`delete from relayed_intent`
    await tx`delete from prepaid_refund`
    await tx`delete from indexed_head`
    for (const { args, ...log } of relays) {
      const { intentId, selector, paymentNonce } = args
      const amounts = { amount: String(args.amount), escrowAmount: 0, prepaid: false }
      const row = { intentId, actor: args.actor.toLowerCase(), selector, paymentNonce, ...amounts }
      await tx`insert into relayed_intent ${tx({ ...row, ...placeOf(log as never) })}`
    }
    for (const { args, ...log } of refunds) {
      const payer = args.payer.toLowerCase()
      const row = { id: `${payer}:${args.nonce}`, payer, nonce: args.nonce, amount: String(args.amount) }
      await tx`insert into prepaid_refund ${tx({ ...row, ...placeOf(log as never) })}`
    }
    await tx`insert into indexed_head ${tx({ blockNumber: number, blockTimestamp: timestamp, checkpoint: '', ready: true })}`
  })
}

async function bindCreate(
  deps: Deps,
  payer: PrivateKeyAccount,
  changes: Partial<PaymentAuthorization> = {},
): Promise<BoundIntent> {
  const payment = await signTransfer(deps, payer, { to: deps.deployment.forwarder, ...changes })
  return await bindWrite(deps, { write: createTask, prepared: await prepareCreate(deps, payment.from), payment })
}

async function bindBoundCreate(deps: Deps, payer: PrivateKeyAccount): Promise<BoundIntent> {
  const { deployment } = deps
  const prepared = await prepareCreate(deps, payer.address.toLowerCase() as Address)
  if ('failure' in prepared) throw new Error(prepared.message)
  const salt = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const nonce = boundNonceOf({ ...prepared, escrowAmount: REWARD }, { ...deployment, salt })
  const payment = await signTransfer(deps, payer, { to: deployment.forwarder, nonce, salt })
  return await bindWrite(deps, { write: createTask, prepared, payment })
}

async function prepareCreate(deps: Deps, payer: Address): Promise<PreparedCall | Refusal> {
  const request = { description: 'a task', reward: String(REWARD), duration: 24, tags: [] }
  const market = { entriesPaused: false, platformFeeBps: 750, defaultHooks: [], drop: null }
  return await createTask.prepare(deps, market, parsedWithOwnSalt(createTask, request), payer)
}

async function bindWithdrawal(deps: Deps, owner: PrivateKeyAccount, to: Address): Promise<BoundIntent> {
  const { signature, ...authorization } = await signTransfer(deps, owner, { to })
  const wire = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, String(value)]))
  const body = withdraw.body.parse({
    from: authorization.from,
    amountBaseUnits: wire.value,
    authorization: wire,
    signature,
  })
  const prepared = await withdraw.prepare(deps, {}, { params: {}, body }, authorization.from)
  return await bindWrite(deps, { write: withdraw, prepared, payment: { ...authorization, signature } })
}

async function bindSwitch(deps: Deps, owner: PrivateKeyAccount, isOn: boolean): Promise<BoundIntent> {
  const wallet = owner.address.toLowerCase() as Address
  const { timestamp } = await deps.chain.latestHead()
  const counter = await readSwitchCounter(deps, { wallet })
  const terms = { wallet, isOn, counter, validBefore: timestamp + 120n }
  const signature = await owner.signMessage({
    message: `${deps.config.SERVICE_NAME}:${boundOnlyText(deps.deployment, terms)}`,
  })
  const body = { walletAddress: wallet, boundOnly: isOn, counter, validBefore: terms.validBefore, signature }
  const subject = await setBoundOnly.load(deps, { params: {}, body }, null)
  const prepared = await setBoundOnly.prepare(deps, subject, { params: {}, body }, wallet)
  return await bindWrite(deps, { write: setBoundOnly, prepared, payment: { from: wallet } })
}

/** The payment of a paid intent. */
export function getPayment(intent: BoundIntent): PaymentAuthorization {
  const payment = paymentOf(intent)
  if (payment === null) throw new Error('the intent has no payment')
  return payment
}

/** The rows that the pipeline leaves behind after bind. */
async function bindWrite(
  deps: Deps,
  bound: {
    write: AnyWrite
    prepared: PreparedCall | Refusal
    /** Of a submitted call only its owner counts. */
    payment: PaymentAuthorization | Pick<PaymentAuthorization, 'from'>
  },
): Promise<BoundIntent> {
  const { write, prepared, payment } = bound
  if ('failure' in prepared) throw new Error(prepared.message)
  const head = await deps.chain.latestHead()
  const id = randomUUID()
  await reserveIntent(deps.sql, {
    id,
    idempotencyKey: randomUUID(),
    operation: write.operation,
    fingerprint: Buffer.alloc(32),
  })
  await deps.sql.begin(async (tx) => {
    await bindReservation(tx, {
      id,
      chainIntentId: deps.writes.nextChainIntentId(),
      initiator: payment.from,
      target: prepared.target,
      calldata: prepared.data,
      paymentAsset: prepared.submission === undefined ? deps.deployment.usdc : prepared.target,
      ...('value' in payment && prepared.submission === undefined
        ? {
            kind: 'market',
            relay: isBound(payment) ? { mode: 'bound', payment } : { mode: 'paid', payment },
            escrowAmount: payment.value,
          }
        : submittedFields(write, prepared)),
      facts: prepared.facts ?? {},
      boundAtBlock: head.number,
      terms: { relayClass: 'plain', gasLimit: null, gas: null },
    })
    await insertContent(tx, id, prepared.content)
  })
  const intent = await findBoundIntent(deps.sql, id)
  if (intent === null) throw new Error('the intent was not bound')
  return intent
}

function submittedFields({ operation }: AnyWrite, { submission }: PreparedCall) {
  const kind = kindOf(operation)
  if (submission === undefined || isForwarded(kind)) throw new Error(`${operation} is not submitted as it is`)
  return { kind, submission }
}

async function signTransfer(
  deps: Deps,
  owner: PrivateKeyAccount,
  changes: { to: Address } & Partial<TransferAuthorization>,
): Promise<TransferAuthorization> {
  const { timestamp } = await deps.chain.latestHead()
  const unsigned: TransferAuthorization = {
    from: owner.address.toLowerCase() as Hex,
    value: REWARD,
    validAfter: 0n,
    validBefore: timestamp + 300n,
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    signature: '0x',
    ...changes,
  }
  const signature = await owner.signTypedData(authorizationTypedData(deps.deployment, unsigned) as never)
  return { ...unsigned, signature }
}
