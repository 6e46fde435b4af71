import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { check } from '../../faults/checker/check.ts'
import { describeDifference } from '../../faults/checker/describe-difference.ts'
import type { ChainEvent, IntentRow } from '../../faults/checker/evidence.ts'
import type { Counter } from '../../faults/checker/violation.ts'
import type { HttpEntry, WriteEntry } from '../../faults/environment/evidence-log.ts'
import {
  alice,
  anEntry,
  bob,
  type Doctored,
  forwarder,
  market,
  relayer,
  soundEvidence,
  taskId,
} from './sound-evidence.ts'

/** What was done to the evidence, and what must be found then. */
interface Case {
  given: string
  doctor: (evidence: Doctored) => void
  invariant: string
  counter: Counter | null
}

const escrow = 'escrow is conserved'
const balance = 'the forwarder’s balance is explained'
const once = 'a key acts once, and does what was said'
const agree = 'the chain and the intents agree'
const answers = 'what was answered stays true'
const charges = 'no payer is charged twice or for nothing'
const nonceSequences = 'nonce sequences are closed'
const reasons = 'every error says its reason'
const gas = 'gas of foreign code is bounded, and its owner’s'
const delivered = 'what was delivered is there'
const owned = 'every file has a row, and every row its file'
const swept = 'nothing is kept without a use'
const DAY = 86_400

const cases: Case[] = [
  {
    given: 'a payout nobody booked',
    invariant: escrow,
    counter: null,
    doctor: ({ chain }) => chain.events.push(transfer(market, bob, 1n)),
  },
  {
    given: 'books that say more than is there',
    invariant: escrow,
    counter: null,
    doctor: ({ chain }) => Object.assign(chain.views, { totalEscrow: 1n }),
  },
  {
    given: 'money in the forwarder that is nobody’s',
    invariant: balance,
    counter: null,
    doctor: ({ chain }) => Object.assign(chain.balances, { forwarder: 1_001n }),
  },
  {
    given: 'an income that is no payment',
    invariant: balance,
    counter: null,
    doctor: ({ chain }) => Object.assign(chain.views, { fees: 999n }),
  },
  {
    given: 'a payment that lies in the forwarder and no row has',
    invariant: balance,
    counter: 'charged for nothing',
    doctor: (evidence) => settleAlone(evidence, word('9')),
  },
  {
    given: 'an effect that happened twice',
    invariant: once,
    counter: 'paid twice',
    doctor: ({ chain }) => chain.events.push(named(chain.events, 'TaskSubmitted')),
  },
  {
    given: 'an intent the forwarder relayed twice',
    invariant: once,
    counter: 'paid twice',
    doctor: ({ chain }) => chain.events.push(named(chain.events, 'IntentRelayed')),
  },
  {
    given: 'a write that was told completed and left nothing',
    invariant: once,
    counter: 'lost',
    doctor: ({ chain }) => remove(chain.events, 'TaskSubmitted'),
  },
  {
    given: 'a write that was told failed and happened',
    invariant: once,
    counter: 'lost',
    doctor: ({ log }) => Object.assign(writeOf(log.writes, 'deliver'), { outcome: { kind: 'failed', reason: null } }),
  },
  {
    given: 'a write nobody could tell the outcome of',
    invariant: once,
    counter: 'lost',
    doctor: ({ log }) => Object.assign(writeOf(log.writes, 'deliver'), { outcome: { kind: 'undecided', last: '409' } }),
  },
  {
    given: 'an intent that is still on its way',
    invariant: agree,
    counter: 'lost',
    doctor: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { status: 'broadcast' }),
  },
  {
    given: 'a payment that was taken for no intent',
    invariant: agree,
    counter: 'charged for nothing',
    doctor: (evidence) => settleAlone(evidence, word('9')),
  },
  {
    given: 'a payment that two intents have',
    invariant: agree,
    counter: null,
    doctor: ({ tables }) =>
      tables.intents.push({ ...rowOf(tables.intents, 'intent-1'), id: 'another', chainIntentId: word('8') }),
  },
  {
    given: 'a relayed call that no intent has',
    invariant: agree,
    counter: null,
    doctor: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { chainIntentId: word('8') }),
  },
  {
    given: 'a completed intent that the forwarder never saw',
    invariant: agree,
    counter: 'lost',
    doctor: ({ chain }) => remove(chain.events, 'IntentRelayed'),
  },
  {
    given: 'an answer of 200 whose intent failed later',
    invariant: answers,
    counter: 'lost',
    doctor: ({ log }) => setView(log.http, 'key-2', { status: 'failed' }),
  },
  {
    given: 'an answer of 200 whose key nobody knows now',
    invariant: answers,
    counter: 'lost',
    doctor: ({ log }) => Object.assign(viewOf(log.http, 'key-2'), { status: 404, body: reason('intent_not_found') }),
  },
  {
    given: 'an answer that named another transaction',
    invariant: answers,
    counter: 'lost',
    doctor: ({ log }) => setView(log.http, 'key-3', { txHash: word('2') }),
  },
  {
    given: 'an answer that named another task',
    invariant: answers,
    counter: 'lost',
    doctor: ({ log }) => setView(log.http, 'key-1', { taskId: word('8') }),
  },
  {
    given: 'a completed write whose transaction left the chain',
    invariant: answers,
    counter: 'lost',
    doctor: ({ chain }) => chain.transactions.delete(word('2')),
  },
  {
    given: 'an outcome that /intents took back',
    invariant: answers,
    counter: 'lost',
    doctor: ({ log }) => {
      const view = viewOf(log.http, 'key-2')
      log.http.push({ ...view, endedAt: 95, body: { ...(view.body as object), status: 'failed' } })
    },
  },
  {
    given: 'a 402 after the transaction was signed',
    invariant: 'no 402 after a broadcast',
    counter: null,
    doctor: ({ log }) =>
      log.http.push(anEntry({ key: 'key-1', startedAt: 60, status: 402, body: reason('payment_rejected') })),
  },
  {
    given: 'a 500',
    invariant: 'no 5xx from what a client sends',
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ status: 500, body: reason('unclassified') })),
  },
  {
    given: 'a 503 without an outage',
    invariant: 'no 5xx from what a client sends',
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ status: 503, body: reason('idempotency_check_unavailable') })),
  },
  {
    given: 'no room without a full disk',
    invariant: 'no 5xx from what a client sends',
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ status: 507, body: reason('unclassified') })),
  },
  {
    given: 'a process that died of an outage',
    invariant: 'no fault outside ends a process',
    counter: null,
    doctor: ({ log }) => log.deaths.push({ faultCase: 'cell', replica: 0, end: 'code 1' }),
  },
  {
    given: 'an error without a reason',
    invariant: reasons,
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ status: 404, body: { error: 'no' } })),
  },
  {
    given: 'a reason of another status',
    invariant: reasons,
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ status: 400, body: reason('intent_in_flight') })),
  },
  {
    given: 'a nonce that was taken and never used',
    invariant: nonceSequences,
    counter: null,
    doctor: ({ tables }) => Object.assign(tables.nonceSequences[0] ?? {}, { nextNonce: 4n }),
  },
  {
    given: 'a transaction that waits in the mempool',
    invariant: nonceSequences,
    counter: null,
    doctor: ({ chain }) => Object.assign(chain.nonceSequences[0] ?? {}, { pending: 4n }),
  },
  {
    given: 'a transaction of a relayer’s key that nobody signed here',
    invariant: nonceSequences,
    counter: null,
    doctor: ({ chain }) =>
      chain.transactions.set(word('5'), {
        hash: word('5'),
        from: relayer,
        nonce: 2n,
        block: 4n,
        succeeded: true,
        gasWei: 0n,
      }),
  },
  {
    given: 'a second payment under one key',
    invariant: charges,
    counter: 'paid twice',
    doctor: (evidence) => {
      settleAlone(evidence, word('9'))
      writeOf(evidence.log.writes, 'create').nonces.push(word('9'))
    },
  },
  {
    given: 'a payment for a write that did nothing',
    invariant: charges,
    counter: 'charged for nothing',
    doctor: ({ chain }) => remove(chain.events, 'TaskCreated'),
  },
  {
    given: 'a paid write that took no payment',
    invariant: charges,
    counter: null,
    doctor: ({ chain }) => remove(chain.events, 'AuthorizationUsed'),
  },
  {
    given: 'another amount than was asked for',
    invariant: charges,
    counter: null,
    doctor: ({ log }) => Object.assign(writeOf(log.writes, 'create'), { charge: 4_999n }),
  },
  {
    given: 'money that left a wallet without its key’s signature',
    invariant: charges,
    counter: null,
    doctor: ({ chain }) => chain.events.push({ ...transfer(alice, bob, 1n), txHash: word('6') }),
  },
  {
    given: 'a wallet with another balance than its transfers leave',
    invariant: charges,
    counter: null,
    doctor: ({ chain }) => Object.assign(chain.balances, { wallets: new Map([[alice, 3_999n]]) }),
  },
  {
    given: 'more wei used than the day has',
    invariant: gas,
    counter: null,
    doctor: ({ tables }) => tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 101n }),
  },
  {
    given: 'a worker without code who pays for foreign gas',
    invariant: gas,
    counter: null,
    doctor: ({ tables }) => tables.gasAccounts.push({ name: bob, usedWei: 1n }),
  },
  {
    given: 'an owner of code that used more than its fees pay for',
    invariant: gas,
    counter: null,
    doctor: ({ tables, chain }) => {
      tables.gasAccounts.push({ name: alice, usedWei: 2n })
      Object.assign(chain, { contracts: new Set([alice]) })
    },
  },
  {
    given: 'a foreign call whose gas nobody was charged for',
    invariant: gas,
    counter: null,
    doctor: ({ tables }) => {
      Object.assign(rowOf(tables.intents, 'intent-2'), { relayClass: 'foreign' })
      tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 9n })
    },
  },
  {
    given: 'an ended write that keeps wei aside',
    invariant: gas,
    counter: null,
    doctor: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { gasAccount: 'foreign 2026-11-22' }),
  },
  {
    given: 'a plain write that is sent away for want of gas',
    invariant: 'no 5xx from what a client sends',
    counter: null,
    doctor: ({ log }) => log.http.push(anEntry({ key: 'key-1', status: 503, body: sentAway })),
  },
  {
    given: 'a delivery whose manifest nobody has',
    invariant: delivered,
    counter: 'lost',
    doctor: ({ files }) => files.manifests.pop(),
  },
  {
    given: 'a manifest of another hash',
    invariant: delivered,
    counter: 'lost',
    doctor: ({ files }) => Object.assign(files.manifests[0] ?? {}, { manifest: '{"artifacts":[]}' }),
  },
  {
    given: 'a delivered file without a row',
    invariant: delivered,
    counter: 'lost',
    doctor: ({ files }) => files.artifacts.pop(),
  },
  {
    given: 'a delivered file that is gone',
    invariant: delivered,
    counter: 'lost',
    doctor: ({ files }) => files.objects.shift(),
  },
  ...[{ sizeBytes: 19 }, { sha256Hash: '0'.repeat(64) }, { keccak256Hash: word('0') }].map(
    (other): Case => ({
      given: `a delivered file of another ${Object.keys(other)}`,
      invariant: delivered,
      counter: 'lost',
      doctor: ({ files }) => Object.assign(files.objects[0] ?? {}, other),
    }),
  ),
  {
    given: 'a delivery that was told to fail and stands on chain',
    invariant: delivered,
    counter: 'lost',
    doctor: ({ files }) => {
      Object.assign(files.storedFiles[0] ?? {}, { failedForSeconds: DAY })
      files.artifacts.pop()
      files.objects.shift()
    },
  },
  {
    given: 'an artifact in storage that no row has',
    invariant: owned,
    counter: null,
    doctor: ({ files }) => files.storedFiles.pop(),
  },
  {
    given: 'an upload in storage that no row has',
    invariant: owned,
    counter: null,
    doctor: ({ files }) => files.uploads.pop(),
  },
  {
    given: 'a file that is told to be there and is not',
    invariant: owned,
    counter: null,
    doctor: ({ files }) => files.objects.shift(),
  },
  {
    given: 'an upload of the day before yesterday',
    invariant: swept,
    counter: null,
    doctor: ({ files }) => Object.assign(files.uploads[0] ?? {}, { ageSeconds: DAY + 61 }),
  },
  {
    given: 'the row of an upload that went long ago',
    invariant: swept,
    counter: null,
    doctor: ({ files }) => {
      Object.assign(files.uploads[0] ?? {}, { ageSeconds: 2 * DAY + 121 })
      files.objects.pop()
    },
  },
  {
    given: 'a file no write was ever bound with',
    invariant: swept,
    counter: null,
    doctor: ({ files }) => addFile(files, { intentId: null, ageSeconds: DAY + 61, failedForSeconds: null }),
  },
  {
    given: 'a file of a write that failed long ago',
    invariant: swept,
    counter: null,
    doctor: ({ files }) => addFile(files, { intentId: 'intent-9', ageSeconds: DAY + 61, failedForSeconds: DAY + 61 }),
  },
  {
    given: 'a temporary file of the day before yesterday',
    invariant: swept,
    counter: null,
    doctor: ({ files }) => Object.assign(files.others[0] ?? {}, { ageSeconds: DAY + 61 }),
  },
]

describe('the checker of the fault suite', () => {
  it('given an environment in which nothing is wrong, finds nothing', () => {
    expect(check(soundEvidence())).toEqual([])
  })

  it.each(cases)('given $given, says so', ({ doctor, invariant, counter }) => {
    const evidence = soundEvidence()
    doctor(evidence)
    expect(check(evidence)).toContainEqual(expect.objectContaining({ invariant, counter }))
  })

  it('given an outage, takes "nothing was charged, the same key again" for a right answer, and nothing else', () => {
    const evidence = soundEvidence()
    for (const faultCase of evidence.log.faultCases) faultCase.isOutage = true
    evidence.log.http.push(anEntry({ status: 503, body: reason('idempotency_check_unavailable') }))
    evidence.log.http.push(anEntry({ status: 507, body: reason('unclassified') }))
    expect(check(evidence)).toEqual([])
    evidence.log.http.push(anEntry({ status: 500, body: reason('unclassified') }))
    expect(check(evidence)).toHaveLength(1)
  })

  it('given owners of code within their quotas, and a foreign write that is sent away, finds nothing', () => {
    const evidence = soundEvidence()
    Object.assign(rowOf(evidence.tables.intents, 'intent-2'), { relayClass: 'foreign' })
    evidence.tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 100n }, { name: alice, usedWei: 1n })
    evidence.chain.events.push({
      ...named(evidence.chain.events, 'TaskCreated'),
      name: 'HooksAttached',
      args: { taskId, hooks: [bob], defaultCount: 0 },
    })
    Object.assign(writeOf(evidence.log.writes, 'create'), { isForeign: true })
    evidence.log.http.push(anEntry({ key: 'key-1', status: 503, body: sentAway }))
    expect(check(evidence)).toEqual([])
  })

  it('given an answered transaction whose nonce a foreign one has now, lets its write name another; none else', () => {
    const evidence = soundEvidence()
    const answered: Hex = `0x${'9'.repeat(64)}`
    const foreign: Hex = `0x${'8'.repeat(64)}`
    const place = { relayer, nonce: 7n }
    evidence.tables.attempts.push({ intentId: 'intent-3', ...place, hash: answered, leg: 'paid', signedAt: 40 })
    const entry = evidence.log.http.find(({ key, method }) => key === 'key-3' && method === 'POST')
    Object.assign(entry ?? {}, { body: { success: true, txHash: answered }, settledIn: answered })
    expect(check(evidence)).not.toEqual([])
    const transaction = { hash: foreign, from: relayer, nonce: 7n, block: 3n, succeeded: true, gasWei: 0n }
    evidence.chain.transactions.set(foreign, transaction)
    expect(check(evidence)).not.toEqual([])
    evidence.log.foreignTransactions.add(foreign)
    expect(check(evidence)).toEqual([])
  })

  it('given a failed write whose hash somebody committed by a call of his own, lets its files stay', () => {
    const evidence = soundEvidence()
    Object.assign(evidence.files.storedFiles[0] ?? {}, { failedForSeconds: 9 * DAY })
    expect(check(evidence)).toEqual([])
  })

  it('given a delivery that was not relayed by the service, asks for no files of it', () => {
    const evidence = soundEvidence()
    const alone = { ...named(evidence.chain.events, 'TaskSubmitted'), txHash: word('6') }
    evidence.chain.events.push({ ...alone, args: { taskId: word('6'), worker: alice, deliverable: word('5') } })
    expect(check(evidence)).toEqual([])
  })

  it('given tables that differ from their rebuild, names the rows of each', () => {
    const dump = (rows: string[]) => ({ hash: rows.join(), tables: new Map([['task', rows]]) })
    expect(describeDifference(dump(['a', 'b']), dump(['b', 'c']))).toEqual([
      'task: only in the live tables: a',
      'task: only in the rebuilt tables: c',
    ])
    expect(describeDifference(dump(['a']), dump(['a']))).toEqual([])
  })
})

/** What a foreign call is told when the gas of the day is used up. */
const sentAway = { ...reason('unclassified'), error: `Send it directly to ${market} or try again tomorrow.` }

function word(digit: string): Hex {
  return `0x${digit.repeat(64)}`
}

function transfer(from: Hex, to: Hex, value: bigint): ChainEvent {
  return { contract: 'usdc', name: 'Transfer', args: { from, to, value }, block: 4n, txHash: word('3') }
}

/** An authorization of alice's that brought 5,000 to the forwarder and did nothing else. */
function settleAlone({ chain }: Doctored, nonce: Hex): void {
  const at = { contract: 'usdc', block: 4n, txHash: word('4') } as const
  chain.events.push(
    { ...at, name: 'AuthorizationUsed', args: { authorizer: alice, nonce } },
    { ...at, name: 'Transfer', args: { from: alice, to: forwarder, value: 5_000n } },
  )
}

function named(events: readonly ChainEvent[], name: string): ChainEvent {
  const event = events.find((candidate) => candidate.name === name)
  if (event === undefined) throw new Error(`there is no ${name}`)
  return event
}

function remove(events: ChainEvent[], name: string): void {
  events.splice(events.indexOf(named(events, name)), 1)
}

/** A stored file that is no submission's. */
function addFile(files: Doctored['files'], row: Omit<Doctored['files']['storedFiles'][number], 'id'>): void {
  files.storedFiles.push({ id: 'another', ...row })
  const object = files.objects.find(({ area }) => area === 'artifacts')
  if (object === undefined) throw new Error('there is no artifact')
  files.objects.push({ ...object, id: 'another' })
}

function writeOf(writes: readonly WriteEntry[], id: string): WriteEntry {
  const write = writes.find((candidate) => candidate.id === id)
  if (write === undefined) throw new Error(`there is no write ${id}`)
  return write
}

function rowOf(rows: readonly IntentRow[], id: string): IntentRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`there is no row ${id}`)
  return row
}

function viewOf(http: readonly HttpEntry[], key: string): HttpEntry {
  const entry = http.find((candidate) => candidate.key === key && candidate.method === 'GET')
  if (entry === undefined) throw new Error(`nobody asked about ${key}`)
  return entry
}

function setView(http: readonly HttpEntry[], key: string, fields: Record<string, unknown>): void {
  const entry = viewOf(http, key)
  entry.body = { ...(entry.body as object), ...fields }
}

function reason(name: string) {
  return { error: 'no', service: { reason: name } }
}
