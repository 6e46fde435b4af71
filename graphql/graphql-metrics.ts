import type pg from 'pg'
import type { Registry } from 'prom-client'
import { instrumentsOf } from '../metrics/instruments.ts'
import type { ErrorCode } from './request-error.ts'

/** Records the metrics of GraphQL requests. */
export interface GraphqlMetrics {
  requestAnswered(request: { code: 'OK' | ErrorCode; seconds: number }): void
}

/** Registers the metrics of GraphQL requests and of the connection pool. */
export function createGraphqlMetrics(
  registry: Registry,
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): GraphqlMetrics {
  const { counter, gauge, histogram } = instrumentsOf(registry)
  const requests = counter('taskmarket_graphql_requests_total')
  const seconds = histogram('taskmarket_graphql_request_seconds')
  const connections = gauge('taskmarket_graphql_connections', () => {
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'waiting' }, pool.waitingCount)
  })
  return {
    requestAnswered: (request) => {
      requests.inc({ code: request.code })
      seconds.observe(request.seconds)
    },
  }
}
