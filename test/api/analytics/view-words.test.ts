import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { hookFunctions } from '../../../api/chain/revert-sentences.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { listOperationSelectors } from '../../support/operation-selectors.ts'
import { aPosition, insertRow } from '../../support/rows/insert-row.ts'

const [requester, alice] = [anActor().address, anActor().address]

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

const toWord = (name: string) => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase()

/** The members of an enum of the contract, as words. */
async function wordsOf(name: string): Promise<string[]> {
  const source = await readFile(new URL('../../../contracts/src/types/TaskTypes.sol', import.meta.url), 'utf8')
  const [, members = ''] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source) ?? []
  return members.split(',').map((member) => toWord(member.trim()))
}

let ordinal = 0

/** The detail of an event of a task with these arguments. */
async function detailOf(taskId: string, name: string, args: Record<string, unknown>): Promise<string | null> {
  ordinal += 1
  const id = `${taskId}:${ordinal}`
  await insertRow(api.sql, 'taskEvent', {
    id,
    taskId: taskId as `0x${string}`,
    ordinal,
    name,
    subject: null,
    statusAfter: 'open',
    args,
    amount: null,
    ...aPosition(),
  })
  const [row] = await api.sql<{ detail: string | null }[]>`select detail from analytics.event where id = ${id}`
  return row?.detail ?? null
}

describe('the words of the views', () => {
  test('given every call of the service, then its selector has a name, the shorter of two', async () => {
    const names = new Map<string, { operation: string; function: string; selector: string }>()
    for (const call of listOperationSelectors()) {
      const present = names.get(call.selector)
      if (present === undefined || call.operation.length < present.operation.length) names.set(call.selector, call)
    }
    const rows = await api.sql`select operation, function, selector from analytics.operation order by operation`
    expect([...rows]).toEqual([...names.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1)))
  })

  test('given every event of the market that names a task, then it has a word and an explanation', async () => {
    const events = taskMarketAbi.filter((item) => item.type === 'event')
    const names = events.filter(({ inputs }) => inputs.some(({ name }) => name === 'taskId')).map(({ name }) => name)
    const rows = await api.sql<{ name: string; kind: string; about: string }[]>`
      select name, kind, about from analytics.event_kind order by name`
    expect(rows.map(({ name, kind }) => ({ name, kind }))).toEqual(
      names.toSorted().map((name) => ({ name, kind: toWord(name) })),
    )
    expect(rows.filter(({ about }) => !/^[A-Z].*\.$/.test(about))).toEqual([])
  })

  test('given an event with each code of the contract, then its detail is the word', async () => {
    const { id } = await api.seed.task({ requester, mode: 'auction', auctionType: 'dutch', bidDeadline: 1n })
    const codes: [enumeration: string, argument: string, events: string[]][] = [
      ['SelectionKind', 'kind', ['TaskWorkerSelected']],
      ['ReturnReason', 'reason', ['EscrowReturned']],
      ['CancelReason', 'reason', ['TaskCancelled']],
      ['ReputationKind', 'kind', ['RequesterReputation']],
      ['Verdict', 'verdict', ['VerdictIssued', 'DisputeResolved', 'VerdictFinalized']],
    ]
    for (const [enumeration, argument, events] of codes) {
      const words = await wordsOf(enumeration)
      expect(words.length).toBeGreaterThan(1)
      for (const name of events) {
        for (const [code, word] of words.entries()) {
          expect(await detailOf(id, name, { [argument]: code })).toBe(word === 'none' ? null : word)
        }
      }
    }
    for (const [selector, name] of hookFunctions) expect(await detailOf(id, 'HookCallFailed', { selector })).toBe(name)
    expect(await detailOf(id, 'TaskCreated', {})).toBe('auction')
    expect(await detailOf(id, 'TaskRated', { rating: 1 })).toBeNull()
    await api.seed.proof(id, alice, { proofType: 'tlsn' })
    expect(await detailOf(id, 'ProofSubmitted', { proofIndex: 0 })).toBe('tlsn')
  })

  test('given a task that ended in each way, then its outcome is the word', async () => {
    for (const [kind, word] of (await wordsOf('ReputationKind')).entries()) {
      const { id } = await api.seed.task({ requester, mode: taskModes[kind % taskModes.length] ?? 'bounty' })
      await detailOf(id, 'RequesterReputation', { kind })
      const [row] = await api.sql`select outcome from analytics.task where id = ${id}`
      expect(row).toEqual({ outcome: word })
    }
  })
})
