/**
 * Words of newcomers, each with the words that the code has for it.
 * Example: `resend` also finds what has `replace`.
 */
export const synonyms: Readonly<Record<string, string>> = {
  abandon: 'forfeit',
  arbitrate: 'dispute',
  arbiter: 'dispute resolver',
  cap: 'limit maximum most',
  config: 'setting',
  configuration: 'setting',
  cron: 'loop',
  divide: 'split',
  division: 'split',
  dropped: 'unmined',
  environment: 'setting',
  gasless: 'relay',
  permission: 'access visibility',
  queue: 'outbox',
  quit: 'forfeit',
  quota: 'limit',
  readiness: 'ready',
  reorganise: 'reorg',
  reorganisation: 'reorg',
  reorganize: 'reorg',
  resend: 'replace again',
  retry: 'backoff again',
  rollback: 'reorg',
  see: 'visibility access',
  stuck: 'unmined receipt',
  swagger: 'openapi',
  throttle: 'rate',
  twice: 'already',
}
