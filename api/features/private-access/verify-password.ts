import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { checkRepeatedIds } from '../../http/repeated-ids.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { timestampOut, toTimestamp } from '../../http/response-schemas.ts'
import { mintAccessGrant } from '../../identity/access-grant.ts'
import { defineRoute } from '../define-route.ts'
import { findPasswordHash } from './private-access.queries.ts'
import { taskParams } from './private-access.schemas.ts'

/**
 * The largest length of a password, in characters. If a text is longer, the service gives the same answer as to a wrong
 * password, and takes the same time. See the specification, "Limits".
 */
const MAX_LENGTH = 200
/**
 * The number of UTF-16 code units to which a longer password is cut before the check. The cut text is still longer than
 * every valid password, so the check fails.
 */
const MAX_UNITS = 2 * MAX_LENGTH + 1

/**
 * Returns a grant for the password of a private task. If the task does not exist, is public or has no password, the
 * answer and its duration are those of a wrong password. So a caller without the password learns nothing about the
 * task. Every try counts against the rate limit of the task id, even if no task has the id. See the specification,
 * "Private access".
 *
 * Example: `POST /api/tasks/0xea3e../private-access/verify` with `{"taskId": "0xea3e..", "password": "open sesame"}`
 * answers `{"grant": "1.1795475049.j5x..", "expiresAt": "2026-11-23T23:04:09.000Z"}`.
 */
export const verifyAccessPassword = defineRoute({
  operationId: 'verifyAccessPassword',
  method: 'post',
  path: '/tasks/{taskId}/private-access/verify',
  tag: 'private access',
  summary: 'Open a private task by its password',
  description:
    'Needs no identity. The grant opens this one task for viewing, never for acting, for 24 hours; send it in the ' +
    '`Task-Access-Grant` header. A wrong password, an unknown task and a task that is not private answer alike.',
  params: taskParams,
  body: z.object({ taskId: bytes32.optional(), password: z.string() }),
  responses: {
    200: {
      description: 'The grant.',
      schema: z.object({ grant: z.string(), expiresAt: timestampOut }),
    },
    401: { description: 'The password opens no task with this id.' },
    429: { description: 'Too many tries by this client, or on this task.' },
  },
  handler: async (deps, { params: { taskId }, body }, c) => {
    checkRepeatedIds({ taskId }, body)
    const rateLimits = c.get('rateLimits')
    await rateLimits.consume('accessTries')
    await rateLimits.consume('taskAccessTries', taskId)
    const passwordHash = await findPasswordHash(deps.sql, taskId)
    const isRight = await deps.passwords.matches(body.password.slice(0, MAX_UNITS), passwordHash)
    if (!isRight || passwordHash === null) {
      throw new ServiceError(401, 'unclassified', 'This password opens no task with this id.', {
        detail: 'password_wrong',
      })
    }
    const { timestamp: now } = await deps.chain.head()
    const { grant, expiresAt } = mintAccessGrant(
      deps.config.URL_SIGNING_SECRET,
      { taskId, passwordVersion: passwordHash },
      now,
    )
    c.header('Cache-Control', 'no-store')
    return { grant, expiresAt: toTimestamp(expiresAt) }
  },
})
