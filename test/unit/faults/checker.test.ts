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
  aRead,
  bob,
  type ChangedEvidence,
  forwarder,
  market,
  relayer,
  soundEvidence,
  taskId,
} from './sound-evidence.ts'

const detail = `/api/tasks/${taskId}`
const view = { id: taskId, status: 'completed', submissionCount: 1 }

/** The answer to a foreign call when the daily gas quota is used up. */
const sentAway = { ...reason('unclassified'), error: `Send it directly to ${market} or try again tomorrow.` }

/** A change of the evidence, and the counter of the violation that must be found. */
type Case = readonly [counter: Counter | null, change: (evidence: ChangedEvidence) => unknown]

const caseOf = (counter: Counter | null) => (change: Case[1]) => [counter, change] as const
const [lost, twice, forNothing, other] = [
  caseOf('lost'),
  caseOf('paid twice'),
  caseOf('charged for nothing'),
  caseOf(null),
]
const changeRow = (fields: Partial<IntentRow>) => (evidence: ChangedEvidence) =>
  Object.assign(rowOf(evidence.tables.intents, 'intent-2'), fields)
const changeWrite = (id: string, fields: Partial<WriteEntry>) => (evidence: ChangedEvidence) =>
  Object.assign(writeOf(evidence.log.writes, id), fields)
const changeView = (key: string, fields: Record<string, unknown>) => (evidence: ChangedEvidence) => {
  const entry = viewOf(evidence.log.http, key)
  entry.body = { ...(entry.body as object), ...fields }
}
const withAnswer = (fields: Partial<HttpEntry>) => (evidence: ChangedEvidence) =>
  evidence.log.http.push(anEntry(fields))
const withRead = (fields: Partial<HttpEntry>) => (evidence: ChangedEvidence) => evidence.log.http.push(aRead(fields))
const withoutEvent = (name: string) => (evidence: ChangedEvidence) => remove(evidence.chain.events, name)
const again = (name: string) => (evidence: ChangedEvidence) =>
  evidence.chain.events.push(named(evidence.chain.events, name))
const withGas = (name: string, usedWei: bigint) => (evidence: ChangedEvidence) =>
  evidence.tables.gasAccounts.push({ name, usedWei })
const DAY = 86_400

/** By law, and by what is given. */
const cases: Record<string, Record<string, Case>> = {
  'escrow is conserved': {
    'a payout without an event': other(({ chain }) => chain.events.push(transfer(market, bob, 1n))),
    'a total escrow above the balance': other(({ chain }) => Object.assign(chain.views, { totalEscrow: 1n })),
  },
  'the forwarder’s balance is explained': {
    'USDC in the forwarder without an owner': other(({ chain }) =>
      Object.assign(chain.balances, { forwarder: 1_001n }),
    ),
    'an income that is no payment': other(({ chain }) => Object.assign(chain.views, { fees: 999n })),
    'a payment in the forwarder without a row': forNothing((evidence) => settleAlone(evidence, word('9'))),
  },
  'a key has one effect, as its client was answered': {
    'an effect that happened twice': twice(again('TaskSubmitted')),
    'an intent the forwarder relayed twice': twice(again('IntentRelayed')),
    'a write answered as completed, without an effect': lost(withoutEvent('TaskSubmitted')),
    'a write answered as failed, with an effect': lost(
      changeWrite('deliver', { outcome: { kind: 'failed', reason: null } }),
    ),
    'a write without an outcome': lost(changeWrite('deliver', { outcome: { kind: 'undecided', last: '409' } })),
  },
  'the chain and the intents agree': {
    'an unfinished intent': lost(changeRow({ status: 'broadcast' })),
    'a settled payment without an intent': forNothing((evidence) => settleAlone(evidence, word('9'))),
    'a payment that two intents have': other(({ tables }) =>
      tables.intents.push({ ...rowOf(tables.intents, 'intent-1'), id: 'another', chainIntentId: word('8') }),
    ),
    'a relayed call that no intent has': other(changeRow({ chainIntentId: word('8') })),
    'a completed intent that the forwarder never relayed': lost(withoutEvent('IntentRelayed')),
    'a completed transfer of which USDC has no event': lost(changeRow({ kind: 'transfer' })),
    'a completed claim of which no contract has an event': lost(changeRow({ kind: 'claim' })),
  },
  'answers stay true': {
    'an answer of 200 whose intent failed later': lost(changeView('key-2', { status: 'failed' })),
    'an answer of 200 whose key is not found now': lost(({ log }) =>
      Object.assign(viewOf(log.http, 'key-2'), { status: 404, body: reason('intent_not_found') }),
    ),
    'an answer that named another transaction': lost(changeView('key-3', { txHash: word('2') })),
    'an answer that named another task': lost(changeView('key-1', { taskId: word('8') })),
    'a completed write whose transaction left the chain': lost(({ chain }) => chain.transactions.delete(word('2'))),
    'an outcome that /intents changed later': lost(({ log }) => {
      const view = viewOf(log.http, 'key-2')
      log.http.push({ ...view, endedAt: 95, body: { ...(view.body as object), status: 'failed' } })
    }),
  },
  'no 402 after a broadcast': {
    'a 402 after the transaction was signed': other(
      withAnswer({ key: 'key-1', startedAt: 60, status: 402, body: reason('payment_rejected') }),
    ),
  },
  'no 5xx from a request': {
    'a 500': other(withAnswer({ status: 500, body: reason('unclassified') })),
    'a 503 without an outage': other(withAnswer({ status: 503, body: reason('idempotency_check_unavailable') })),
    'a 507 without a full disk': other(withAnswer({ status: 507, body: reason('unclassified') })),
    'a plain write refused for lack of gas': other(withAnswer({ key: 'key-1', status: 503, body: sentAway })),
  },
  'no read is older than an answer before it': {
    'a detail that is older than the answer to a write': other(
      withRead({ path: detail, body: { ...view, status: 'open' } }),
    ),
    'a detail without a task that was created': other(withRead({ path: detail, body: null })),
    'a detail with fewer submissions than the one before': other(({ log }) => {
      log.http.push(aRead({ path: detail, replica: 1, body: { ...view, submissionCount: 2 } }))
      log.http.push(aRead({ path: detail, replica: 1, startedAt: 50, endedAt: 60, body: view }))
    }),
    'a list without a task that was created': other(
      withRead({ path: '/api/tasks?limit=20', body: { tasks: [], hasMore: false } }),
    ),
    'a detail of another process that is older by more than a second': other(
      withRead({ path: detail, replica: 1, startedAt: 1_100, endedAt: 1_110, body: null }),
    ),
  },
  'no outside fault ends a process': {
    'a process that ended in an outage': other(({ log }) =>
      log.unexpectedExits.push({ faultCase: 'fault case', replica: 0, end: 'code 1' }),
    ),
  },
  'every error has its reason': {
    'an error without a reason': other(withAnswer({ status: 404, body: { error: 'no' } })),
    'a reason of another status': other(withAnswer({ status: 400, body: reason('intent_in_flight') })),
  },
  'nonce sequences are complete': {
    'a nonce that was claimed and never used': other(({ tables }) =>
      Object.assign(tables.nonceSequences[0] ?? {}, { nextNonce: 4n }),
    ),
    'a pending transaction in the mempool': other(({ chain }) =>
      Object.assign(chain.nonceSequences[0] ?? {}, { pending: 4n }),
    ),
    'a transaction of a relayer’s key without an attempt': other(({ chain }) =>
      chain.transactions.set(word('5'), {
        hash: word('5'),
        from: relayer,
        nonce: 2n,
        succeeded: true,
        gasWei: 0n,
      }),
    ),
  },
  'no wallet is charged twice or for nothing': {
    'a second payment under one key': twice((evidence) => {
      settleAlone(evidence, word('9'))
      writeOf(evidence.log.writes, 'create').nonces.push(word('9'))
    }),
    'a payment for a write without an effect': forNothing(withoutEvent('TaskCreated')),
    'a paid write that took no payment': other(withoutEvent('AuthorizationUsed')),
    'a payment of another amount than the price': other(changeWrite('create', { charge: 4_999n })),
    'USDC that left a wallet without an authorization of a key': other(({ chain }) =>
      chain.events.push({ ...transfer(alice, bob, 1n), txHash: word('6') }),
    ),
    'a wallet whose balance differs from its transfers': other(({ chain }) =>
      Object.assign(chain.balances, { wallets: new Map([[alice, 3_999n]]) }),
    ),
  },
  'gas of foreign code is bounded, and charged to its owner': {
    'more wei used than the daily quota': other(withGas('foreign 2026-11-22', 101n)),
    'a worker without code who pays for foreign gas': other(withGas(bob, 1n)),
    'an owner of code that used more than its credit': other((evidence) => {
      withGas(alice, 2n)(evidence)
      Object.assign(evidence.chain, { contracts: new Set([alice]) })
    }),
    'a foreign call whose gas no account was charged for': other((evidence) => {
      changeRow({ relayClass: 'foreign' })(evidence)
      withGas('foreign 2026-11-22', 9n)(evidence)
    }),
    'an ended write with reserved wei': other(changeRow({ gasAccount: 'foreign 2026-11-22' })),
  },
  'delivered files exist': {
    'a delivery without a manifest': lost(({ files }) => files.manifests.pop()),
    'a manifest of another hash': lost(({ files }) =>
      Object.assign(files.manifests[0] ?? {}, { manifest: '{"artifacts":[]}' }),
    ),
    'a delivered file without a row': lost(({ files }) => files.artifacts.pop()),
    'a delivered file without an object': lost(({ files }) => files.objects.shift()),
    ...Object.fromEntries(
      Object.entries({ sizeBytes: 19, sha256Hash: '0'.repeat(64), keccak256Hash: word('0') }).map(([name, value]) => [
        `a delivered file of another ${name}`,
        lost(({ files }) => Object.assign(files.objects[0] ?? {}, { [name]: value })),
      ]),
    ),
    'a delivery answered as failed, and on chain': lost(({ files }) => {
      Object.assign(files.storedFiles[0] ?? {}, { failedForSeconds: DAY })
      files.artifacts.pop()
      files.objects.shift()
    }),
  },
  'every file has a row, and every row a file': {
    'an artifact in storage that no row has': other(({ files }) => files.storedFiles.pop()),
    'an upload in storage that no row has': other(({ files }) => files.uploads.pop()),
    'a row of artifacts without an object': other(({ files }) => files.objects.shift()),
  },
  'no unneeded file is kept': {
    'an upload of two days ago': other(({ files }) => Object.assign(files.uploads[0] ?? {}, { ageSeconds: DAY + 61 })),
    'the row of an upload deleted long ago': other(({ files }) => {
      Object.assign(files.uploads[0] ?? {}, { ageSeconds: 2 * DAY + 121 })
      files.objects.pop()
    }),
    'a file without a bound write': other(({ files }) =>
      addFile(files, { intentId: null, ageSeconds: DAY + 61, failedForSeconds: null }),
    ),
    'a file of a write that failed long ago': other(({ files }) =>
      addFile(files, { intentId: 'intent-9', ageSeconds: DAY + 61, failedForSeconds: DAY + 61 }),
    ),
    'a temporary file of two days ago': other(({ files }) =>
      Object.assign(files.others[0] ?? {}, { ageSeconds: DAY + 61 }),
    ),
  },
}

describe('the checker of the fault suite', () => {
  it('given evidence without a fault, then there is no violation', () => {
    expect(check(soundEvidence())).toEqual([])
  })

  const all = Object.entries(cases).flatMap(([law, each]) =>
    Object.entries(each).map(([given, [counter, change]]) => [law, given, counter, change] as const),
  )
  it.each(all)('%s: given %s, then the violation is reported', (invariant, _, counter, change) => {
    const evidence = soundEvidence()
    change(evidence)
    expect(check(evidence)).toContainEqual(expect.objectContaining({ invariant, counter }))
  })

  it('given an outage, then "nothing was charged, the same key again" is admitted, and no other 5xx', () => {
    const evidence = soundEvidence()
    for (const faultCase of evidence.log.faultCases) faultCase.isOutage = true
    evidence.log.http.push(anEntry({ status: 503, body: reason('idempotency_check_unavailable') }))
    evidence.log.http.push(anEntry({ status: 507, body: reason('unclassified') }))
    expect(check(evidence)).toEqual([])
    evidence.log.http.push(anEntry({ status: 500, body: reason('unclassified') }))
    expect(check(evidence)).toHaveLength(1)
  })

  it('given owners of code within their quotas, and a refused foreign write, then there is no violation', () => {
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

  it('given an answered transaction whose nonce a foreign one has now, then its write alone may name another', () => {
    const evidence = soundEvidence()
    const answered: Hex = `0x${'9'.repeat(64)}`
    const foreign: Hex = `0x${'8'.repeat(64)}`
    const place = { relayer, nonce: 7n }
    evidence.tables.attempts.push({ intentId: 'intent-3', ...place, hash: answered, purpose: 'call', signedAt: 40 })
    const entry = evidence.log.http.find(({ key, method }) => key === 'key-3' && method === 'POST')
    Object.assign(entry ?? {}, { body: { success: true, txHash: answered }, settledIn: answered })
    expect(check(evidence)).not.toEqual([])
    const transaction = { hash: foreign, from: relayer, nonce: 7n, succeeded: true, gasWei: 0n }
    evidence.chain.transactions.set(foreign, transaction)
    expect(check(evidence)).not.toEqual([])
    evidence.log.foreignTransactions.add(foreign)
    expect(check(evidence)).toEqual([])
  })

  it('given a failed write whose hash another account committed directly, then its files may stay', () => {
    const evidence = soundEvidence()
    Object.assign(evidence.files.storedFiles[0] ?? {}, { failedForSeconds: 9 * DAY })
    expect(check(evidence)).toEqual([])
  })

  it('given a delivery that the service did not relay, then it needs no files', () => {
    const evidence = soundEvidence()
    const alone = { ...named(evidence.chain.events, 'TaskSubmitted'), txHash: word('6') }
    evidence.chain.events.push({ ...alone, args: { taskId: word('6'), worker: alice, deliverable: word('5') } })
    expect(check(evidence)).toEqual([])
  })

  it('given tables that differ from their rebuild, then the rows of each are listed', () => {
    const dump = (rows: string[]) => ({ hash: rows.join(), tables: new Map([['task', rows]]) })
    expect(describeDifference(dump(['a', 'b']), dump(['b', 'c']))).toEqual([
      'task: only in the live tables: a',
      'task: only in the rebuilt tables: c',
    ])
    expect(describeDifference(dump(['a']), dump(['a']))).toEqual([])
  })
})

function word(digit: string): Hex {
  return `0x${digit.repeat(64)}`
}

function transfer(from: Hex, to: Hex, value: bigint): ChainEvent {
  return { contract: 'usdc', name: 'Transfer', args: { from, to, value }, block: 4n, txHash: word('3') }
}

/** An authorization of alice that moved 5,000 to the forwarder, without a relay. */
function settleAlone({ chain }: ChangedEvidence, nonce: Hex): void {
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

/** A stored file that belongs to no submission. */
function addFile(
  files: ChangedEvidence['files'],
  row: Omit<ChangedEvidence['files']['storedFiles'][number], 'id'>,
): void {
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
  if (entry === undefined) throw new Error(`no request has the key ${key}`)
  return entry
}

function reason(name: string) {
  return { error: 'no', service: { reason: name } }
}
