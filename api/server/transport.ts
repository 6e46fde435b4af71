import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { answerHeaderNames, serviceHeaderNames } from '../http/header-names.ts'

/** The answer headers that scripts in a browser may read (interface specification, "Transport"). */
const EXPOSED_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'ETag',
  'Link',
  'Preference-Applied',
  'X-Hash-Function',
  'X-Preimage-Encoding',
  'X-Deliverable-Hash',
  'X-Pitch-Hash',
  'X-Proof-Hash',
  'X-Submit-Tx-Hash',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
]

/**
 * Creates the middleware that allows requests from any origin. This is safe because no route accepts a cookie as a
 * credential.
 */
export function allowAnyOrigin(serviceName: string): MiddlewareHandler {
  const allow = cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: [
      'Content-Type',
      'Authorization',
      'PAYMENT-SIGNATURE',
      // Stock x402 clients send both with a payment: the header of version 1, and one that belongs to answers.
      'X-PAYMENT',
      'Access-Control-Expose-Headers',
      'If-None-Match',
      'Range',
      'X-Request-Id',
      'Prefer',
      ...Object.values(serviceHeaderNames(serviceName)),
    ],
    exposeHeaders: [...EXPOSED_HEADERS, ...Object.values(answerHeaderNames(serviceName))],
    maxAge: 86_400,
  })
  // Setting headers before the answer exists makes Hono rebuild it with a stream: a sixth fewer cached pages a second.
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return await allow(c, next)
    await next()
    return await allow(c, async () => {})
  }
}

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * Returns the Content-Security-Policy of a page for developers. Without `directives`, the page may load no files.
 * `directives` allows the files that the page needs. No page may show this page in a frame. Example: `pagePolicy({
 * 'script-src': "'self'" })`.
 */
export function pagePolicy(directives: Readonly<Record<string, string>> = {}): string {
  const allDirectives = {
    'default-src': NOTHING,
    ...directives,
    'base-uri': NOTHING,
    'form-action': NOTHING,
    'frame-ancestors': NOTHING,
  }
  return Object.entries(allDirectives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

const NOTHING = "'none'"

/**
 * The Content-Security-Policy directives of a page that has scripts and reads data. The page may load files and data
 * only from its own host. Images may also be `data:` URLs.
 */
export const scriptDirectives = {
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
} as const

/**
 * Creates the middleware that forbids content sniffing and framing. It sets a Content-Security-Policy that allows no
 * resources, unless the route sets a policy.
 */
export function setSecurityHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  }
}
