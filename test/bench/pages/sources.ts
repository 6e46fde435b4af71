import { fetchBytes } from '../reads/http-get.ts'
import type { Sized } from '../reads/measure.ts'

/** Answers of the service: pages for people, and the JSON of the same. */
export const contenders = ['list', 'listPage', 'task', 'taskPage', 'crowded', 'crowdedPage'] as const

/** Each is asked for once and answers its bytes: lists at random places, random tasks, and the task that has the most entries shown to all. */
export async function listSources(
  { sql, url }: Sized,
  random: () => number,
): Promise<{
  sources: Record<(typeof contenders)[number], () => Promise<number>>
  crowdedCode: string
  someCode: string
}> {
  const [times] = await sql<{ first: bigint; last: bigint }[]>`
    select min(created_at_ms) as first, max(created_at_ms) as last from task where listed`
  const codes = await sql<{ referenceCode: string }[]>`
    select reference_code from task where listed order by md5(id) limit 500`
  const [crowded] = await sql<{ referenceCode: string }[]>`
    select reference_code from task join service.task_content using (content_hash)
    where listed and submission_visibility = 'public' order by submission_count desc, id limit 1`
  const { first = 0n, last = 0n } = times ?? {}
  const someCode = () => codes[Math.floor(random() * codes.length)]?.referenceCode ?? ''
  const cursor = () => new Date(Number(first) + Math.floor(random() * Number(last - first))).toISOString()
  const crowdedCode = crowded?.referenceCode ?? ''
  const source = (path: () => string) => async () => (await fetchBytes(url + path())).length
  return {
    sources: {
      list: source(() => `/api/tasks?cursor=${cursor()}`),
      listPage: source(() => `/tasks?state=all&cursor=${cursor()}`),
      task: source(() => `/api/tasks/${someCode()}`),
      taskPage: source(() => `/tasks/${someCode()}`),
      crowded: source(() => `/api/tasks/${crowdedCode}?include=submissions,requesterStats,movements`),
      crowdedPage: source(() => `/tasks/${crowdedCode}`),
    },
    crowdedCode,
    someCode: someCode(),
  }
}
