import type { Address, Hex } from 'viem'
import type { z } from 'zod'
import { type ArtifactRecord, findFiles } from '../../artifacts/artifacts.queries.ts'
import type { Deps } from '../../deps.ts'
import { mainFileOf } from '../../domain/artifacts/main-file.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { toFileUrl } from '../artifact.mapper.ts'
import { findDelivery } from './submissions.queries.ts'
import type { presignedUrlSchema } from './submissions.schemas.ts'

/** A submission that a request names by its id. */
export interface Delivery {
  taskId: Hex
  worker: Address
  deliverable: Hex
}

/**
 * Returns the submission with an id.
 * @throws ServiceError 404 if the task has no such submission
 */
export async function getDelivery(
  { sql }: Pick<Deps, 'sql'>,
  { taskId, submissionId }: { taskId: Hex; submissionId: Hex },
): Promise<Delivery> {
  const delivery = await findDelivery(sql, taskId, submissionId)
  if (delivery === null) throw unknownSubmission()
  return { taskId, ...delivery }
}

/** Returns the error 404 for a submission that does not exist or that the caller may not see. */
export function unknownSubmission(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no submission with this id that you may see.', {
    detail: 'submission_not_found',
  })
}

/**
 * Returns a signed URL of one file of a submission. Without `artifactId`, the URL is that of the main file.
 * @throws ServiceError 404 if the submission has no such file
 */
export async function presign(
  { sql, links, chain }: Pick<Deps, 'sql' | 'links' | 'chain'>,
  delivery: Delivery,
  artifactId: string | undefined,
): Promise<z.infer<typeof presignedUrlSchema>> {
  const files = (await findFiles(sql, [delivery]))(delivery)
  const file = chooseFile(files, artifactId)
  if (file === null) {
    throw new ServiceError(
      404,
      'unclassified',
      'This submission has no such file; `artifacts` in the list of the task’s submissions names those it has.',
      { detail: 'file_not_found' },
    )
  }
  const { timestamp: now } = await chain.head()
  const { url, expiresAt } = toFileUrl(file.id, { links, now })
  return { presignedUrl: url, expiresAt }
}

function chooseFile(files: readonly ArtifactRecord[], artifactId: string | undefined): ArtifactRecord | null {
  return artifactId === undefined ? mainFileOf(files) : (files.find(({ id }) => id === artifactId) ?? null)
}
