import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { countArrivingBytes } from '../artifacts/byte-accounts.ts'
import { anonymousFilesIn } from '../artifacts/temporary-file.ts'
import type { Deps } from '../deps.ts'
import { renderError } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { limitLargeBodies } from '../http/bodies/large-bodies.ts'
import { nameWhatIsIgnored } from '../http/handling.ts'
import { limitResponseTime } from '../http/response-timeout.ts'
import { identifyCallers } from '../identity/caller.ts'
import { createClientIpReader, createClientNamer } from '../identity/client-ip.ts'
import { uploaderInTables } from '../identity/client-name.ts'
import { mountMcp } from '../mcp/mount-mcp.ts'
import { mountRpc } from '../trpc/mount-rpc.ts'
import { withExampleBodies } from './discovery/example-bodies.ts'
import { mountDiscovery } from './discovery/mount-discovery.ts'
import { mountDocs } from './docs/docs-page.ts'
import { mountExportFiles } from './export-files.ts'
import { createKnownAnswers, type KnownAnswers } from './known-answers.ts'
import { mountPages, type OpenPages } from './mount-pages.ts'
import { describeRoutes } from './openapi/describe-routes.ts'
import { readExamples } from './openapi/examples.ts'
import { endConnectionsWhileDraining, mountOperatorRoutes } from './operator-routes.ts'
import { createPageReads } from './page-reads.ts'
import { createRateLimits, giveRateLimits, setRateLimitHeaders } from './rate-limits.ts'
import { createRequestRecorder, recordRequests } from './record-requests.ts'
import { refuseWithoutRows } from './refuse-without-rows.ts'
import { giveRequestId } from './request-id.ts'
import { methodsAt, mountRoute, mountWrite } from './router.ts'
import { mutations, writes as plainWrites, queries, routes } from './routes.ts'
import { forbidSharedCaches } from './shared-caches.ts'
import { setStateHeaders } from './state-headers.ts'
import { allowAnyOrigin, setSecurityHeaders } from './transport.ts'

/** The service's HTTP app. `answerKnown` lets the HTTP server answer some requests before the app receives them. */
export interface App extends Hono {
  answerKnown: KnownAnswers
}

/**
 * Creates the HTTP app from its dependencies, for the running service and for tests. Example: `await
 * createApp(deps).request('/api/health')`.
 */
export function createApp(deps: Deps, pages?: OpenPages): App {
  const app = new Hono({ strict: false })
  const nameClient = createClientNamer(deps.config.TRUSTED_PROXIES)
  const clientIp = createClientIpReader(nameClient)
  const pageReads = createPageReads()
  const rateLimits = createRateLimits(deps)
  const record = createRequestRecorder({ log: deps.log, ...deps.observe })
  const knownAnswers = createKnownAnswers(deps, { routes, nameClient, rateLimits, record })
  app.use(giveRequestId())
  app.use(recordRequests(record, clientIp))
  app.use(endConnectionsWhileDraining(deps.observe))
  app.use(giveRateLimits(rateLimits, { clientIp, pageReads, countedLimits: knownAnswers.countedLimits }))
  app.use(knownAnswers.keep)
  app.use(setSecurityHeaders())
  app.use(forbidSharedCaches(deps.config.SERVICE_NAME))
  app.use(allowAnyOrigin(deps.config.SERVICE_NAME))
  app.use(nameWhatIsIgnored(deps.config.SERVICE_NAME))
  app.use(limitResponseTime(deps.config.ANSWER_LIMIT_MS))
  app.use(noteChanges(deps))
  app.use(setStateHeaders(deps))
  app.use(refuseWithoutRows(deps))
  app.use(setRateLimitHeaders())
  app.use(identifyCallers(clientIp, deps.config.WRONG_IDENTITIES_PER_MINUTE))
  app.use(
    limitLargeBodies({
      hasher: deps.hasher,
      openAnonymous: anonymousFilesIn(deps.config.SPOOL_DIR),
      clientIp,
      countBytes: (client) => countArrivingBytes(deps, uploaderInTables(deps.config, client)),
    }),
  )

  const writes = withExampleBodies(plainWrites, readExamples())
  mountOperatorRoutes(app, deps.observe, deps.config)
  for (const route of routes) mountRoute(app, deps, route)
  for (const write of writes) mountWrite(app, deps, write)
  mountExportFiles(app, deps)
  mountRpc(app, deps, { queries, mutations, writes })
  const description = describeRoutes(deps.config.SERVICE_NAME, deps.deployment.chainId)
  mountMcp(app, deps, description.tools)
  mountDiscovery(app, deps)
  const mountedPages = pages === undefined ? null : mountPages(app, pages, pageReads)
  mountDocs(app, description)

  const rendering = { log: deps.log, publicBaseUrl: deps.config.PUBLIC_BASE_URL }
  const refuse = (c: Context) => renderError(c, unknownRoute(c.req, methodsAt(app, c.req.path)), rendering)
  app.notFound((c) => mountedPages?.answerUnknown(c) ?? refuse(c))
  app.onError((error, c) => {
    const refusal = renderError(c, error, rendering)
    return mountedPages === null ? refusal : mountedPages.answerRefusal(c, refusal)
  })
  return Object.assign(app, { answerKnown: knownAnswers.answer })
}

/**
 * Creates the middleware that records a possible change of the database rows. The change is recorded after every
 * request except reads (GET, HEAD) and refused requests (4xx). It is recorded before the answer is sent, so the
 * client's next read includes it.
 */
function noteChanges({ publicReads, rowChanges }: Pick<Deps, 'publicReads' | 'rowChanges'>): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const isRefused = c.res.status >= 400 && c.res.status < 500
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !isRefused) {
      publicReads.noteChange()
      rowChanges.note()
    }
  }
}

/**
 * Returns the error 404 for an unknown path or a wrong method. The specification ("Errors") has no error class for
 * methods.
 */
function unknownRoute({ method, path }: { method: string; path: string }, methods: string[]): ServiceError {
  const place = `${method} ${path}`.slice(0, 200)
  // A route that supports this method has itself answered that nothing is there, so no methods are listed.
  if (methods.length === 0 || methods.includes(method)) {
    return new ServiceError(404, 'unclassified', `There is no ${place}; /openapi.json lists every route.`, {
      detail: 'route_not_found',
    })
  }
  return new ServiceError(404, 'unclassified', `There is no ${place}; this path takes ${methods.join(', ')}.`, {
    detail: 'method_not_allowed',
    headers: { Allow: methods.join(', ') },
  })
}
