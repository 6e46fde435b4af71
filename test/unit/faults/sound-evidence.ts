import { createHash } from 'node:crypto'
import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import type { ChainEvent, Evidence, IntentRow } from '../../faults/checker/evidence.ts'
import { createEvidenceLog, type HttpEntry, type WriteEntry } from '../../faults/environment/evidence-log.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const hash = (digit: string) => `0x${digit.repeat(64)}` as Hex

export const [market, forwarder, relayer] = ['1', '2', '4'].map(address) as [Address, Address, Address]
export const [alice, bob] = ['a', 'b'].map(address) as [Address, Address]
export const taskId = hash('7')
const zeroAddress = address('0')
const noNonce = hash('0')

type Changed<Value> =
  Value extends ReadonlyMap<infer Key, infer Item>
    ? Map<Key, Item>
    : Value extends readonly (infer Item)[]
      ? Item[]
      : Value

/** Evidence whose parts a test may change. */
export type ChangedEvidence = Evidence & {
  [Part in 'chain' | 'tables' | 'files']: { [Name in keyof Evidence[Part]]: Changed<Evidence[Part][Name]> }
}

/** The delivery of bob: one file, uploaded under another name first. */
const text = 'Money waits in trust'
const file = {
  displayOrder: 0,
  sizeBytes: text.length,
  sha256Hash: createHash('sha256').update(text).digest('hex'),
  keccak256Hash: keccak256(stringToBytes(text)),
}
const manifest = JSON.stringify({ artifacts: [file] })
const deliverable = keccak256(stringToBytes(manifest))

/**
 * Evidence without a violation: alice creates a task of 5,000 base units (intent 1), bob delivers to it for free (intent
 * 2), and alice accepts the delivery for a fee of 1,000 (intent 3). The transaction of intent n is in block n, and its hash
 * is all n. Then the task is read from both processes.
 */
export function soundEvidence(): ChangedEvidence {
  const event = (contract: ChainEvent['contract'], name: string, block: bigint, args: Record<string, unknown>) => ({
    contract,
    name,
    args,
    block,
    txHash: hash(`${block}`),
  })
  const [created, delivered, accepted] = [1n, 2n, 3n]
  const [createNonce, acceptNonce] = [hash('d'), hash('e')]
  const pay = (block: bigint, value: bigint, nonce: Hex): ChainEvent[] => [
    event('usdc', 'AuthorizationUsed', block, { authorizer: alice, nonce }),
    event('usdc', 'Transfer', block, { from: alice, to: forwarder, value }),
  ]
  const relayed = (block: bigint, actor: Address, amount: bigint, paymentNonce: Hex) =>
    event('forwarder', 'IntentRelayed', block, { intentId: hash(`${block}`), actor, amount, paymentNonce })
  const transfer = (block: bigint, from: Address, to: Address, value: bigint) =>
    event('usdc', 'Transfer', block, { from, to, value })
  const log = createEvidenceLog()
  log.faultCases.push({ name: 'fault case', isOutage: false, gas: { weiPerDay: 100n, weiPerFee: 1_000n } })
  log.minted.set(alice, 10_000n).set(bob, 0n)
  log.writes.push(
    aWrite({ id: 'create', key: 'key-1', charge: 5_000n, nonces: [createNonce] }, created, {
      event: 'TaskCreated',
      args: { requester: alice },
    }),
    aWrite({ id: 'deliver', key: 'key-2', mode: 'signed', actor: bob }, delivered, {
      event: 'TaskSubmitted',
      args: { taskId, worker: bob },
    }),
    aWrite({ id: 'accept', key: 'key-3', charge: 1_000n, nonces: [acceptNonce] }, accepted, {
      event: 'TaskCompleted',
      args: { taskId, worker: bob },
    }),
  )
  log.http.push(
    anEntry({ key: 'key-1', body: { success: true, taskId, intentId: 'intent-1' }, settledIn: hash('1') }),
    anEntry({ key: 'key-2', body: { success: true } }),
    anEntry({ key: 'key-3', body: { success: true, txHash: hash('3') }, settledIn: hash('3') }),
    ...[1, 2, 3].map((number) =>
      anEntry({
        key: `key-${number}`,
        method: 'GET',
        endedAt: 90,
        body: {
          intentId: `intent-${number}`,
          status: 'completed',
          txHash: hash(`${number}`),
          taskId: number === 1 ? taskId : null,
        },
      }),
    ),
  )
  log.http.push(
    aRead({ path: '/api/tasks?limit=20', body: { tasks: [aView()], hasMore: false } }),
    aRead({ path: `/api/tasks/${taskId}`, body: aView() }),
    // Another process has not heard of the task yet.
    aRead({ path: `/api/tasks/${taskId}`, replica: 1, body: null }),
  )
  const rows: IntentRow[] = log.writes.map((write, index) => ({
    id: `intent-${index + 1}`,
    key: write.key,
    status: 'completed',
    kind: 'market',
    chainIntentId: hash(`${index + 1}`),
    initiator: write.actor,
    paymentNonce: write.nonces[0] ?? null,
    txHash: hash(`${index + 1}`),
    refundStatus: null,
    relayClass: 'plain',
    gasAccount: null,
  }))
  return {
    deployment: { market, forwarder },
    log,
    chain: {
      events: [
        transfer(0n, zeroAddress, alice, 10_000n),
        ...pay(created, 5_000n, createNonce),
        transfer(created, forwarder, market, 5_000n),
        event('market', 'TaskCreated', created, { taskId, requester: alice, terms: { reward: 5_000n } }),
        relayed(created, alice, 5_000n, createNonce),
        event('market', 'TaskSubmitted', delivered, { taskId, worker: bob, deliverable }),
        relayed(delivered, bob, 0n, noNonce),
        ...pay(accepted, 1_000n, acceptNonce),
        transfer(accepted, market, bob, 4_000n),
        transfer(accepted, market, address('f'), 1_000n),
        event('market', 'TaskCompleted', accepted, { taskId, worker: bob, grossAmount: 5_000n, platformFee: 1_000n }),
        relayed(accepted, alice, 1_000n, acceptNonce),
      ],
      transactions: new Map(
        [created, delivered, accepted].map((block) => [
          hash(`${block}`),
          { hash: hash(`${block}`), from: relayer, nonce: block - 1n, succeeded: true, gasWei: 10n },
        ]),
      ),
      balances: {
        market: 0n,
        forwarder: 1_000n,
        wallets: new Map([
          [alice, 4_000n],
          [bob, 4_000n],
        ]),
      },
      views: { totalEscrow: 0n, fees: 1_000n },
      nonceSequences: [{ relayer, latest: 3n, pending: 3n }],
      contracts: new Set(),
    },
    tables: {
      intents: rows,
      attempts: rows.map(({ id }, index) => ({
        intentId: id,
        relayer,
        nonce: BigInt(index),
        hash: hash(`${index + 1}`),
        purpose: 'call',
        signedAt: 50,
      })),
      nonceSequences: [{ relayer, nextNonce: 3n }],
      gasAccounts: [],
    },
    files: {
      uploads: [{ id: 'upload', intentId: 'intent-2', ageSeconds: 60, failedForSeconds: null }],
      storedFiles: [{ id: 'file', intentId: 'intent-2', ageSeconds: 60, failedForSeconds: null }],
      artifacts: [{ id: 'file', taskId, worker: bob, deliverable, displayOrder: 0 }],
      manifests: [{ taskId, worker: bob, deliverable, manifest }],
      objects: [
        { area: 'artifacts', id: 'file', ...file },
        { area: 'uploads', id: 'upload', ...file },
      ],
      others: [{ path: 'incoming/part', ageSeconds: 60 }],
    },
  }
}

function aWrite(fields: Partial<WriteEntry>, block: bigint, effect: WriteEntry['effect']): WriteEntry {
  return {
    id: 'write',
    mode: 'paid',
    key: 'key',
    actor: alice,
    charge: 0n,
    nonces: [],
    isForeign: false,
    outcome: { kind: 'completed', txHash: hash(`${block}`), taskId: null },
    ...fields,
    effect,
  }
}

/** A request that was answered 200, unless `fields` say otherwise. */
export function anEntry(fields: Partial<HttpEntry>): HttpEntry {
  return {
    faultCase: 'fault case',
    replica: 0,
    startedAt: 10,
    endedAt: 20,
    method: 'POST',
    path: '/api/tasks',
    key: null,
    carriesPayment: true,
    status: 200,
    failure: null,
    body: null,
    settledIn: null,
    ...fields,
  }
}

/** A read that begins after the answers of the writes. */
export function aRead(fields: Partial<HttpEntry>): HttpEntry {
  return anEntry({ method: 'GET', carriesPayment: false, startedAt: 30, endedAt: 40, ...fields })
}

/** The task at its end, as lists and details show it. */
function aView(): { id: Hex; status: string; submissionCount: number } {
  return { id: taskId, status: 'completed', submissionCount: 1 }
}
