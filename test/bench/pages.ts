/**
 * `npm run bench -- pages`: what pages for people cost: processor time of the server beside the JSON of the same, the largest contentful
 * paint of a page of a task beside a static page of the same bytes, in Debian's chromium, and the bytes of a first load.
 * Prints figures and keeps them in docs/internals/benchmarks/figures.json.
 *
 *   --size 20000    tasks
 *   --loads 25      first loads of each page
 *   --quick         small samples, nothing written
 */

import { join } from 'node:path'
import { connectDatabase } from '../../api/db/client.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import type { Figure } from '../../scripts/figures/figure.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted, estimated } from './figures/figures.ts'
import { createSeededRandom, estimateMedian } from './figures/statistics.ts'
import { alternateLoads, launchBrowser, loadFirst, medianLcp } from './pages/browser-loads.ts'
import { measureProcessorTime } from './pages/processor-time.ts'
import { contenders, listSources } from './pages/sources.ts'
import { startServer } from './reads/bench-servers.ts'
import { closeConnections } from './reads/http-get.ts'
import { startRowStack } from './reads/row-stack.ts'

const { values } = readOptions({
  options: {
    quick: { type: 'boolean', default: false },
    size: { type: 'string', default: '20000' },
    loads: { type: 'string', default: '25' },
  },
})
const size = Number(values.size)
const loads = values.quick ? 5 : Number(values.loads)
const load = values.quick ? { blocks: 3, requests: 40, inFlight: 8 } : { blocks: 6, requests: 100, inFlight: 8 }
const seed = 20_260_101
const random = createSeededRandom(seed)

await beginBenchmark()
const stack = await startRowStack((line) => console.log(line))
try {
  const databaseUrl = await stack.createRows({ tasks: size })
  const url = await stack.startService('api', databaseUrl)
  const sql = connectDatabase({ url: databaseUrl, max: 1 })
  stack.beforeStop(() => sql.end())
  const { sources, someCode, crowdedCode } = await listSources({ size, sql, url }, random)
  const samples = await measureProcessorTime(sources, load)
  const timesOf = (page: keyof typeof samples, json: keyof typeof samples) => {
    const ratios = samples[page].map((time, block) => time / (samples[json][block] ?? Number.NaN))
    return estimateMedian(ratios, random)
  }
  closeConnections()
  const paints = await measurePaints(url, { task: `/tasks/${someCode}`, crowded: `/tasks/${crowdedCode}` })
  const figures = [
    estimated('a page of the list by its JSON, times its time', timesOf('listPage', 'list'), { most: 1.5 }),
    estimated('a page of a task by its JSON, times its time', timesOf('taskPage', 'task'), { most: 2 }),
    estimated('a page of hundreds of entries by its JSON, times its time', timesOf('crowdedPage', 'crowded'), {
      most: 2,
    }),
    ...contenders.map((name) => estimated(`${name}, ms of processors`, estimateMedian(samples[name], random))),
    ...paints,
  ]
  tellFigures('pages', figures, { isQuick: values.quick, seed, size, loads, load, postgres: stack.postgres })
} finally {
  await stack.stop()
}

/** First loads of pages, from the service and from a server that has their bytes in memory. */
async function measurePaints(url: string, paths: Record<'task' | 'crowded', string>): Promise<Figure[]> {
  const port = await findFreePort()
  const script = join(import.meta.dirname, 'pages', 'static-server.ts')
  const copies = await startServer({
    name: 'static',
    port,
    directory: stack.directory,
    readyPath: '/tasks',
    args: ['--disable-warning=ExperimentalWarning', script, url, String(port)],
  })
  stack.beforeStop(copies.stop)
  const browser = await launchBrowser()
  try {
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(paths)) {
      const { own, other } = await alternateLoads(browser, {
        own: url + path,
        other: `http://127.0.0.1:${port}${path}`,
        count: loads,
      })
      const extra = estimateMedian(
        own.map(({ lcp }, round) => lcp - (other[round]?.lcp ?? Number.NaN)),
        random,
      )
      figures.push(estimated(`largest paint (${name}) after that of a static page, ms`, extra, { most: 50 }))
      figures.push(counted(`largest paint (${name}), ms`, medianLcp(own)))
    }
    for (const [name, path] of [
      ['list', '/tasks'],
      ['task', paths.task],
    ] as const) {
      const { bytes, scriptBytes } = await loadFirst(browser, url + path)
      figures.push(counted(`bytes of a first load (${name})`, bytes, { most: 30_000 }))
      figures.push(counted(`bytes of its scripts (${name})`, scriptBytes, { most: 8_000 }))
    }
    return figures
  } finally {
    await browser.close()
  }
}
