import { type Client, typeOfFile, uploadMessage, type WriteInput } from '../../../client/src/index.ts'
import { hashFile } from './hash-file.ts'

/** An uploaded file, in the form that the write `createSubmissionFromKeys` requires. */
export type UploadedFile = WriteInput<'createSubmissionFromKeys'>['artifacts'][number]

/** Number of bytes at the beginning of a file that suffice to detect its type. */
const HEAD_BYTES = 4_096
export const MOST_FILES = 20
export const MOST_BYTES = 500 * 1024 * 1024

/** Thrown if a file cannot be uploaded. In this case, no submission was sent. The message is for a person. */
export class UploadFailed extends Error {
  override name = 'UploadFailed'
}

/**
 * Hashes a file, and uploads the file to the URL that the service returns. The bytes go only to this URL.
 * @param signature signature of the worker over the text of `uploadMessage`
 * @param onProgress receives the current step and its finished part, 0 to 1
 * @throws UploadFailed
 */
export async function uploadFile(
  client: Client,
  { taskId, file, signature }: { taskId: string; file: File; signature: string },
  onProgress: (what: 'hashing' | 'uploading', part: number) => void,
): Promise<UploadedFile> {
  const { account, url } = client.context
  if (account === null) throw new UploadFailed('An upload needs a wallet.')
  const mimeType = typeOfFile(file.name, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  const { sha256, keccak256 } = await hashFile(file, (part) => onProgress('hashing', part)).catch((error: Error) => {
    throw new UploadFailed(`${file.name}: ${error.message}`)
  })
  const { data, error } = await client.http.POST('/api/tasks/{taskId}/submissions/request-upload-url', {
    params: { path: { taskId } },
    body: { workerAddress: account.address, signature, fileName: file.name, mimeType, sizeBytes: file.size },
  })
  if (data === undefined) throw new UploadFailed(`${file.name} was refused: ${error?.error ?? 'no reason is known.'}`)
  checkUploadUrl(data.uploadUrl, url)
  await put(data.uploadUrl, data.uploadHeaders ?? {}, file, (part) => onProgress('uploading', part))
  const { artifactKey } = data
  return {
    artifactKey,
    fileName: file.name,
    mimeType,
    sizeBytes: file.size,
    sha256Hash: sha256,
    keccak256Hash: keccak256,
  }
}

/** Returns the text that a worker signs to upload files to a task. One signature suffices for all files. */
export function uploadTextOf({ context }: Client, taskId: string): string {
  if (context.account === null) throw new UploadFailed('An upload needs a wallet.')
  return uploadMessage(context.deployment, taskId, context.account.address)
}

/** Sends a file by XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function put(
  url: string,
  headers: Record<string, string>,
  file: File,
  onProgress: (part: number) => void,
): Promise<void> {
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) {
      // The browser sets the length.
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    }
    request.upload.onprogress = ({ loaded }) => onProgress(file.size === 0 ? 1 : loaded / file.size)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadFailed(`${file.name} could not be uploaded: ${host} answered ${request.status}.`))
    }
    request.onerror = () => reject(new UploadFailed(`${file.name} could not be uploaded: ${host} does not answer.`))
    request.send(file)
  })
}

/**
 * Checks that the upload URL is https. If the service itself is reached by http, as on a developer's computer, any
 * valid URL is allowed.
 * @throws UploadFailed if the URL is not allowed
 */
function checkUploadUrl(uploadUrl: string, serviceUrl: string): void {
  const url = URL.canParse(uploadUrl) ? new URL(uploadUrl) : null
  const isLocal = new URL(serviceUrl).protocol === 'http:'
  if (url !== null && (url.protocol === 'https:' || isLocal)) return
  throw new UploadFailed('The service names a place for the upload that is not reached by https.')
}
