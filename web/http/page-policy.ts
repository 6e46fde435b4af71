/**
 * The Content-Security-Policy of the pages: everything from this origin, nothing inline, no frame around them. Scripts may
 * hash files in a worker and show them from memory.
 * @param connectOrigins origins that scripts may read from, besides that of the page
 */
export function pagePolicy(connectOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connectOrigins].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types task-market-worker',
  ].join('; ')
}
