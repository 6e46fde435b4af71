import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { listEndpoints } from '../../../scripts/where/endpoints.ts'
import { findAnswers, kinds } from '../../../scripts/where/find-answers.ts'
import { openSources, type Row } from '../../../scripts/where/sources.ts'

/** `npm run where` over this repository: one question of each kind, with lines that its answer must have. */

const sources = openSources(repositoryRoot)

const questions: readonly [question: string, kind: string, expected: readonly string[]][] = [
  [
    'POST /tasks/{taskId}/accept',
    'route',
    [
      'endpoint api/features/tasks/accept-submission.ts acceptSubmission',
      'entry protocol/operations/accept-submission.ts tasks.accept',
      'rule api/domain/actions/accept.ts acceptInContest; statuses open; window always',
      'contract contracts/src/TaskMarket.sol TaskMarket.acceptSubmission',
      'event src/handlers/task-market/task-completed.ts TaskCompleted -> award',
      'reverts NoActiveSubmission',
      'details no_active_submission',
      'details every write: consent_required',
      'tables market.task_entry',
    ],
  ],
  ['/ready', 'path outside of the API', ['named api/server/operator-routes.ts']],
  [
    'TaskCompleted',
    'event',
    [
      'declared contracts/src/interfaces/ITaskMarketEvents.sol award',
      'emitted contracts/src/libraries/SettlementFlow.sol TaskMarket.acceptSubmission',
      'handler src/handlers/task-market/task-completed.ts',
      'writes award: id',
    ],
  ],
  [
    'market.task.status',
    'column',
    [
      'column src/schema/task.ts',
      'written src/handlers/task-market/task-refunded.ts TaskCancelled, TaskExpired',
      'readers api/features/task-filters.ts',
    ],
  ],
  ['task_entry', 'table of the indexer', ['written src/store/task-entries.ts', 'SQL api/read-model']],
  [
    'accept',
    'action and its rules',
    ['rule api/domain/actions/accept.ts acceptDelivery', 'write protocol/operations/accept-submission.ts'],
  ],
  [
    'receipts',
    'background loop',
    [
      'started api/start-loops.ts',
      'runs api/relayer/loops/watch-receipts.ts createReceiptsRun',
      'uses api/relayer/transactions/replace-transaction.ts',
    ],
  ],
  ['POLLING_INTERVAL_MS', 'setting', ['setting settings/table.ts', 'default 500 ms', 'used api/start-loops.ts']],
  [
    'UPLOADS_OPEN',
    'constant of the service',
    ['constant api/constants.ts 20', 'used api/features/submissions/upload-limits.ts'],
  ],
  [
    'consent_required',
    'error detail',
    ['refused api/writes/stages/check-consent.ts', 'status 403 payment_preflight_rejected', 'routes every write'],
  ],
  ['payment_rejected', 'error reason', ['reason protocol/reasons.ts 402']],
  ['taskmarket_up', 'metric', ['set api/observability/gauges.ts', 'alert ops/prometheus/rules.yml DatabaseDown']],
  ['NoServiceProcess', 'alert', ['page service-down.md']],
  [
    'service.intents',
    'table or function of the service',
    ['migration api/db/migrations/0001.sql create table', 'SQL api/intents'],
  ],
  ['analytics.task', 'view for analysts', ['query api/db/analytics/task.sql market.task']],
  [
    'TaskMarket.cancelTask',
    'function of a contract',
    [
      'declared contracts/src/interfaces/ITaskMarket.sol',
      'event src/handlers/task-market/task-refunded.ts TaskCancelled',
    ],
  ],
  [
    'WrongStatus',
    'error of a contract',
    ['declared contracts/src/interfaces/ITaskMarket.sol', 'calls TaskMarket.updateTask'],
  ],
  [
    'reverted',
    'kind of the log of changes',
    [
      'fields eventId',
      'appended api/events/append-events.ts',
      'docs docs/build/events.md',
      'webhooks api/events/webhooks/deliver.ts',
      'stream api/features/events/list-events.ts',
    ],
  ],
  [
    'winner_only',
    'value of a list',
    ['list protocol/visibilities.ts', 'table api/domain/access/access-table.ts', 'docs docs/learn/visibility.md'],
  ],
]

test.each(questions)('%s is answered as a %s', (question, kind, expected) => {
  const rows = findAnswers(sources, question).answers.flatMap((answer) => (answer.kind === kind ? answer.rows : []))
  for (const line of expected) {
    const [label = '', ...words] = line.split(' ')
    const isThere = rows.some((row) => row.label === label && words.every((word) => textOf(row).includes(word)))
    expect(isThere, `${line}\n${rows.map((row) => `${row.label} ${textOf(row)}`).join('\n')}`).toBe(true)
  }
  for (const { place } of rows)
    if (place !== undefined) expect(existsSync(join(repositoryRoot, place.path)), place.path).toBe(true)
})

test('every kind has a question here, and names to ask for', () => {
  expect(new Set(questions.map(([, kind]) => kind))).toEqual(new Set(kinds.map(({ title }) => title)))
  expect(kinds.filter((kind) => kind.names(sources).length < 5).map(({ title }) => title)).toEqual([])
})

test('every operation has its endpoint', () => {
  const endpoints = listEndpoints(sources)
  expect(endpoints.length).toBeGreaterThan(100)
  expect(endpoints.filter(({ declaration }) => declaration === undefined).map(({ title }) => title)).toEqual([])
})

test('every column of a table that handlers write has a handler that writes it', () => {
  const written = new Set(
    [...sources.writes.handlers.values()]
      .flatMap((handler) => sources.writes.writesOf(handler))
      .map(({ table, column }) => `${table}.${column}`),
  )
  const columns = sources.tables.flatMap(({ name, columns: of }) => [...of.keys()].map((column) => `${name}.${column}`))
  const lost = columns.filter((column) => !written.has(column) && !column.startsWith('task_event.'))
  expect(lost).toEqual([])
})

test.each([
  ['resend stuck transactions', 'api/relayer/transactions/replace-transaction.ts'],
  ['escrow balance', 'contracts/src/interfaces/ITaskMarket.sol'],
  ['who may see submissions', 'api/domain/visibility.ts'],
  ['what does a webhook receiver get at a reorg', 'api/events/event-kinds.ts'],
  ['raise the reward', 'protocol/operations/update-task.ts'],
  ['sign in of a caller', 'api/identity/caller.ts'],
])('a newcomer who asks "%s" is led to %s', (question, path) => {
  expect(findAnswers(sources, question).matches.map((match) => match.path)).toContain(path)
})

test.each([
  ['canViewTask', 'api/domain/visibility.ts', 'may see a task'],
  ['MAX_FEE_BPS', 'contracts/src/types/Limits.sol', '2000  The highest platform fee'],
])('the declared name %s is found in %s', (name, path, text) => {
  const { answers } = findAnswers(sources, name)
  expect(answers.map(({ kind }) => kind)).toEqual(['declaration'])
  expect(answers[0]?.rows[0]).toMatchObject({ label: 'declared', place: { path }, text: expect.stringContaining(text) })
})

test.each([
  ['which test proves that the market holds what it owes', 'contracts/test/invariant/MarketInvariants.t.sol'],
  ['which test proves that a retry is not charged twice', 'test/faults/checker/invariants/charges.ts'],
])('"%s" is answered by titles of tests', (question, path) => {
  const { matches } = findAnswers(sources, question)
  expect(matches.map((match) => match.path)).toContain(path)
  expect(matches.filter((match) => !/^(contracts[/])?test[/]/.test(match.path))).toEqual([])
})

test('titles of tests answer no other question', () => {
  const { matches } = findAnswers(sources, 'no wallet is charged twice')
  expect(matches.filter((match) => /^(contracts[/])?test[/]/.test(match.path))).toEqual([])
})

test('a function of a contract has no comment of a declaration above it', () => {
  const { matches } = findAnswers(sources, 'accept auction settings of a new market')
  expect(matches.filter(({ name, text }) => name === 'acceptAuction' && /Settings/.test(text))).toEqual([])
})

test('a misspelt name is answered by the nearest one, and a question in words by places', () => {
  expect(findAnswers(sources, 'TaskComplete').nearest).toContain('TaskCompleted')
  const { matches } = findAnswers(sources, 'where is the refund that is owed computed?')
  expect(matches.map(({ path }) => path)).toContain('api/domain/refund-owed.ts')
  expect(findAnswers(sources, 'qqqqqqqqqq')).toEqual({ answers: [], nearest: [], matches: [] })
})

function textOf({ place, text = '' }: Row): string {
  return `${place?.path ?? ''} ${text}`
}
