import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { instrumentsOf } from '../../../metrics/instruments.ts'
import { metricsOf, metricTable } from '../../../metrics/table.ts'
import { leaveListed } from '../../../ops/indexer/indexer-metrics.ts'

const metrics = Object.entries(metricTable)

test('every metric has one prefix, but for those of libraries, and the end of its type and unit', () => {
  const wrong = metrics.flatMap(([name, metric]) => {
    const isOurs = !('source' in metric)
    const isCounter = metric.type === 'counter'
    const hasPrefix = name.startsWith('taskmarket_')
    const hasUnit = !isOurs || metric.unit !== 'seconds' || /_seconds(_total)?$/.test(name)
    const hasTotal = !isOurs || name.endsWith('_total') === isCounter
    return hasPrefix === isOurs && hasUnit && hasTotal ? [] : [name]
  })
  expect(wrong).toEqual([])
})

test('no metric is in two groups that differ, and every one has a program', () => {
  const named = new Map<string, unknown>()
  for (const group of Object.values(metricsOf)) {
    for (const [name, metric] of Object.entries(group)) {
      expect(named.get(name) ?? metric, name).toBe(metric)
      named.set(name, metric)
    }
  }
  expect([...named.keys()].sort()).toEqual(metrics.map(([name]) => name).sort())
})

test('given a name of the table, then its instrument has the help and the labels of its row', async () => {
  const registry = new Registry()
  instrumentsOf(registry).counter('taskmarket_writes_total').inc({ operation: 'tasks.create', outcome: 'failed' })
  expect(await registry.metrics()).toBe(
    [
      `# HELP taskmarket_writes_total ${metricTable.taskmarket_writes_total.meaning}`,
      '# TYPE taskmarket_writes_total counter',
      'taskmarket_writes_total{operation="tasks.create",outcome="failed"} 1',
      '',
    ].join('\n'),
  )
})

test('given the metrics of Ponder, then those of the table are left, whole', () => {
  const text = [
    '# HELP ponder_sync_is_realtime text',
    '# TYPE ponder_sync_is_realtime gauge',
    'ponder_sync_is_realtime{chain="base"} 1',
    'ponder_sync_is_complete{chain="base"} 1',
    'ponder_indexing_function_duration_bucket{le="1",chain="base",event="e"} 3',
    'ponder_indexing_function_duration_sum{chain="base",event="e"} 3',
    'ponder_http_server_active_requests{method="GET",path="/any"} 1',
    'nodejs_version_info{version="v24"} 1',
    '',
  ].join('\n')
  expect(leaveListed(text)).toBe(
    [
      '# HELP ponder_sync_is_realtime text',
      '# TYPE ponder_sync_is_realtime gauge',
      'ponder_sync_is_realtime{chain="base"} 1',
      'ponder_indexing_function_duration_bucket{le="1",chain="base",event="e"} 3',
      'ponder_indexing_function_duration_sum{chain="base",event="e"} 3',
      '',
    ].join('\n'),
  )
  expect(leaveListed('')).toBe('')
})
