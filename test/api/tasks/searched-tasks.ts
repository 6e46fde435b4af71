import { beforeEach, expect } from 'vitest'
import { fillTaskSearch } from '../../../api/read-model/fill-task-search.ts'
import type { TestApi } from '../../support/api.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { anEmptyChain, type PlayedChain } from './played-chain.ts'

/** Tasks of an empty chain, and what their list finds. */
export interface SearchedTasks {
  readonly api: TestApi
  /** Creates a public task. @returns its id */
  create(texts: Partial<Pick<TaskTexts, 'description' | 'tags'>>): Promise<string>
  /** Fills the table of words and tags, so that lists read it. */
  fill(): Promise<void>
  /** The ids of the tasks that `GET /tasks` lists. */
  list(query: URLSearchParams): Promise<string[]>
}

/** Starts a service for the tests of this file; each begins without tasks, and with an empty table of words and tags. */
export function openSearchedTasks(): SearchedTasks {
  const api = aStartedApi()
  let chain: PlayedChain
  beforeEach(async () => {
    await api.sql`truncate service.task_search, service.task_search_state, service.task_search_pending,
      service.task_search_tentative`
    chain = await anEmptyChain(api)
  })
  return {
    api,
    create: async (texts) => {
      await chain.play({ kind: 'create', visibility: 'public', reward: 5000, texts: { description: 'Draw', ...texts } })
      return chain.tasks.at(-1)?.id ?? expect.fail('no task')
    },
    fill: async () => {
      await chain.play({ kind: 'blocks', count: 100 })
      await fillTaskSearch(api.deps)
      expect((await api.sql`select from service.task_search`).length).toBeGreaterThan(0)
    },
    list: async (query) => {
      const { status, body } = await api.get(`/api/tasks?limit=100&${query}`)
      expect(status, String(query)).toBe(200)
      return body.tasks.map(({ id }: { id: string }) => id)
    },
  }
}
