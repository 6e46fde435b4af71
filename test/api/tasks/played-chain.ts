import fc from 'fast-check'
import type { Hex } from 'viem'
import { anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'

const requester = anActor().address

/** What a block did: creations and updates of tasks by their number. */
export type ChainStep =
  | {
      kind: 'create'
      visibility: 'public' | 'unlisted' | 'none'
      reward: number
      texts?: Partial<Pick<TaskTexts, 'description' | 'tags'>>
    }
  | { kind: 'update'; task: number; reward: number; content: 'same' | 'known' | 'unknown' }
  | { kind: 'blocks'; count: number }
  | { kind: 'reorg'; depth: number }

/** Blocks that a reorg undoes at most; what is taken for final lies deeper. */
const DEEPEST_REORG = 30

export const aCreation = fc.record({
  kind: fc.constant('create' as const),
  visibility: fc.constantFrom('public' as const, 'public' as const, 'unlisted' as const, 'none' as const),
  reward: fc.integer({ min: 1000, max: 9_000_000 }),
})
export const anUpdate = fc.record({
  kind: fc.constant('update' as const),
  task: fc.nat(30),
  reward: fc.integer({ min: 1000, max: 9_000_000 }),
  content: fc.constantFrom('same' as const, 'known' as const, 'unknown' as const),
})
export const someBlocks = fc.record({ kind: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 150 }) })
export const aReorg = fc.record({
  kind: fc.constant('reorg' as const),
  depth: fc.integer({ min: 1, max: DEEPEST_REORG }),
})

/** A task's terms at the end of each of its events, newest last. */
export interface PlayedTask {
  id: Hex
  events: { block: number; name: string; reward: number; contentHash: Hex }[]
}

export interface PlayedChain {
  play(step: ChainStep): Promise<void>
  /** In the order of creation. */
  tasks: readonly PlayedTask[]
}

/** The read model of a chain that a test plays by hand, in blocks of two seconds; all tasks of one requester. */
export async function anEmptyChain({ sql, seed }: Pick<TestApi, 'sql' | 'seed'>): Promise<PlayedChain> {
  let head = 100
  const tasks: PlayedTask[] = []
  await sql`delete from service.task_content`
  await sql`truncate idx_0000000000000000.task, task_event, reference_code, indexed_head, service.public_totals`
  const moveHead = async (by: number) => {
    head += by
    await sql`delete from indexed_head`
    await sql`insert into indexed_head (block_number, block_timestamp, checkpoint)
      values (${BigInt(head)}, ${timeOf(head)}, '')`
  }
  const logEvent = async (task: PlayedTask, event: PlayedTask['events'][number]) => {
    const terms = { reward: String(event.reward), contentHash: event.contentHash }
    await sql`insert into task_event ${sql({
      id: `${task.id}:${task.events.length}`,
      taskId: task.id,
      ordinal: task.events.length,
      name: event.name,
      subject: requester,
      statusAfter: 'open',
      args: event.name === 'TaskCreated' ? sql.json({ terms }) : sql.json(terms),
      blockNumber: BigInt(event.block),
      blockTimestamp: timeOf(event.block),
      transactionHash: aHash(),
      transactionIndex: 0,
      logIndex: 0,
    })}`
    task.events.push(event)
  }
  await moveHead(0)

  const create = async ({ visibility, reward, texts }: Extract<ChainStep, { kind: 'create' }>) => {
    await moveHead(1)
    const stored = visibility === 'none' ? null : { taskVisibility: visibility, ...texts }
    const terms = { requester, reward: BigInt(reward), listed: visibility !== 'unlisted' }
    const row = await seed.task({ ...terms, createdAtMs: timeOf(head) * 1000n + BigInt(tasks.length % 3) }, stored)
    await sql`update task set block_number = ${BigInt(head)} where id = ${row.id}`
    const task: PlayedTask = { id: row.id, events: [] }
    await logEvent(task, { block: head, name: 'TaskCreated', reward, contentHash: row.contentHash })
    tasks.push(task)
  }

  const update = async ({ task: number, reward, content }: Extract<ChainStep, { kind: 'update' }>) => {
    const task = tasks[number % Math.max(tasks.length, 1)]
    const present = task?.events.at(-1)
    if (task === undefined || present === undefined) return
    await moveHead(1)
    const known = tasks[(number + 1) % tasks.length]?.events[0]?.contentHash ?? present.contentHash
    const contentHash = { same: present.contentHash, known, unknown: aHash() }[content]
    await logEvent(task, { block: head, name: 'TaskUpdated', reward, contentHash })
    await sql`update task set reward = ${BigInt(reward)}, content_hash = ${contentHash} where id = ${task.id}`
  }

  /** Undoes what the last blocks did; other blocks take their place. */
  const reorganize = async (depth: number) => {
    const kept = BigInt(head - depth)
    await sql`delete from task_event where block_number > ${kept}`
    await sql`delete from task where block_number > ${kept}`
    for (const task of tasks.slice()) {
      task.events = task.events.filter(({ block }) => BigInt(block) <= kept)
      const last = task.events.at(-1)
      if (last === undefined) tasks.splice(tasks.indexOf(task), 1)
      else {
        const { reward, contentHash } = last
        await sql`update task set reward = ${BigInt(reward)}, content_hash = ${contentHash} where id = ${task.id}`
      }
    }
    await moveHead(0)
  }

  return {
    tasks,
    play: async (step) => {
      if (step.kind === 'create') await create(step)
      if (step.kind === 'update') await update(step)
      if (step.kind === 'blocks') await moveHead(step.count)
      if (step.kind === 'reorg') await reorganize(step.depth)
    },
  }
}

function timeOf(block: number): bigint {
  return START + 2n * BigInt(block)
}
