import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { answerHeaderNames, serviceHeaderNames } from '../http/header-names.ts'

/** Headers of answers that a browser's script may read (Interface, "Transport"). */
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

/** Any origin may call: nothing here acts by cookie. */
export function allowAnyOrigin(serviceName: string): MiddlewareHandler {
  const allow = cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: [
      'Content-Type',
      'Authorization',
      'PAYMENT-SIGNATURE',
      // Stock x402 clients send both with a payment: the header of version 1, and one that only answers have.
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
  // Headers that are set before there is an answer make Hono build it anew, with its body as a stream: a sixth fewer kept
  // pages a second.
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
 * The Content-Security-Policy of a page that developers read: everything from this host, nothing inline, no frame around it, so
 * that it works offline and cannot be made to load foreign code. `directives`: what the page needs besides text.
 * Example: `pagePolicy({ 'script-src': "'self'" })`.
 */
export function pagePolicy(directives: Readonly<Record<string, string>> = {}): string {
  const all = {
    'default-src': NOTHING,
    ...directives,
    'base-uri': NOTHING,
    'form-action': NOTHING,
    'frame-ancestors': NOTHING,
  }
  return Object.entries(all)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

const NOTHING = "'none'"

/** Directives of a page that is made of scripts and reads from its own host. */
export const scriptDirectives = {
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
} as const

/** No answer is a page unless its route says so with a policy of its own, and none is to be sniffed or framed. */
export function setSecurityHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  }
}
