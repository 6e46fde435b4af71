import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { uploadText } from '../../../protocol/bound-call.ts'
import { DEFAULT_ROLE } from '../../../protocol/documents/submission-manifest.ts'
import { taskText } from '../../../protocol/signed/task-texts.ts'
import type { UploadTarget } from '../../artifacts/storage/object-store.ts'
import { deleteUpload, type NewUpload } from '../../artifacts/uploads.queries.ts'
import type { Deps } from '../../deps.ts'
import { noSuchTask } from '../../domain/actions/action-rule.ts'
import { checkRepeatedIds } from '../../http/repeated-ids.ts'
import { address, bytes32, walletSignature } from '../../http/request-schemas.ts'
import { timestampOut, toTimestamp } from '../../http/response-schemas.ts'
import { uploaderInTables } from '../../identity/client-name.ts'
import { refused } from '../../writes/stages/admit.ts'
import { proveSigner } from '../../writes/stages/prove-signer.ts'
import { defineRoute } from '../define-route.ts'
import { artifactKeyOf } from './create-from-keys.schemas.ts'
import { fileFields, uploadSizeBytes } from './file.schemas.ts'
import { loadSubmission, refuseSubmission } from './submission-call.ts'
import { recordUpload } from './upload-limits.ts'

const body = z.object({
  taskId: bytes32.optional(),
  workerAddress: address,
  signature: walletSignature.meta({
    description:
      'EIP-191 by the worker over `service:upload:<chainId>:<forwarder>:<taskId>:<worker>`, all in lower case, which no ' +
      'contract accepts; or over `service:submit:<taskId>`.',
  }),
  ...fileFields,
  sizeBytes: uploadSizeBytes,
})

/**
 * Returns a URL to which a worker uploads a file for a submission. If the worker may not submit to the task, the
 * request is refused for the same reason as a submission would be. See the specification, "Submissions".
 *
 * Example: `POST /api/tasks/0x4643../submissions/request-upload-url` with `{"taskId": "0x4643..", "workerAddress":
 * "0x14dC..", "signature": "0x541d..", "fileName": "haiku.txt", ..}` answers `{"uploadUrl": "http://127.0.0.1..",
 * "artifactKey": "0x4643f234d6c908..", "uploadHeaders": {"Content-Type": "text/plain"}, "expiresAt":
 * "2026-11-23T00:04:04.000Z"}`.
 */
export const requestUploadUrl = defineRoute({
  operationId: 'requestUploadUrl',
  method: 'post',
  path: '/tasks/{taskId}/submissions/request-upload-url',
  tag: 'submissions',
  summary: 'Get a URL to upload a file of a submission to',
  description:
    'PUT the exact bytes to `uploadUrl` with the headers of `uploadHeaders`, then name the file by its `artifactKey` ' +
    'in /submissions/from-keys. What is not submitted within a day is removed.',
  params: z.object({ taskId: bytes32 }),
  body,
  reasons: ['payment_preflight_rejected'],
  responses: {
    200: {
      description: 'Where to upload, and the name of the upload.',
      schema: z.object({
        uploadUrl: z.string(),
        artifactKey: z.string().meta({ description: '`<taskId>/<uuid>`.' }),
        uploadHeaders: z.record(z.string(), z.string()).meta({ description: 'Headers that the PUT must carry.' }),
        expiresAt: timestampOut.meta({ description: 'Until when the URL takes the bytes.' }),
      }),
    },
    403: { description: 'The signature is not the worker’s, or the worker may not submit.' },
    404: { description: 'No such task, or none the worker may see.' },
    409: { description: 'The task takes no submissions now.' },
    429: {
      description: 'Too many uploads are open, or the bytes do not fit (`byte_quota`); or all submissions are made.',
    },
    507: { description: 'The service has no room for the file.' },
  },
  handler: async (deps, { params: { taskId }, body }, c) => {
    checkRepeatedIds({ taskId }, body)
    const { workerAddress: worker, signature, fileName, mimeType, role = DEFAULT_ROLE, sizeBytes } = body
    const [{ head, clocks }, subject] = await Promise.all([
      deps.chain.latestClocks(),
      loadSubmission(deps, { taskId, worker }),
    ])
    if (subject === null) throw refused(noSuchTask())
    await proveSigner(deps, {
      signed: {
        actor: worker,
        signature,
        text: taskText('submit', taskId),
        otherMessage: uploadText(deps.config.SERVICE_NAME, deps.deployment, { taskId, worker }),
      },
      refuseFor: (actor) => refuseSubmission(subject, { worker }, { actor, now: head.timestamp, clocks }),
    })

    const client = uploaderInTables(deps.config, c.get('clientIp')(c))
    const upload = { id: randomUUID(), taskId, worker, client, fileName, mimeType, role, sizeBytes }
    const expiresAt = await recordUpload(deps, upload, subject.task.reward)
    const { url, headers } = await targetOf(deps, upload, expiresAt)
    c.header('Cache-Control', 'no-store')
    return {
      uploadUrl: url,
      artifactKey: artifactKeyOf(taskId, upload.id),
      uploadHeaders: headers,
      expiresAt: toTimestamp(BigInt(expiresAt)),
    }
  },
})

/** Returns the URL and headers for an upload. If the storage has no room, the record of the upload is deleted. */
async function targetOf(
  { storage, sql }: Pick<Deps, 'storage' | 'sql'>,
  { id, mimeType, sizeBytes }: NewUpload,
  expiresAt: number,
): Promise<UploadTarget> {
  try {
    return await storage.uploadTarget(id, { mimeType, sizeBytes, expiresAt })
  } catch (error) {
    await deleteUpload(sql, id)
    throw error
  }
}
