import type { Reads } from '../../http/read.ts'

/** Where a file can be downloaded now: URLs of files end, so each is made when its link is followed. */
export async function artifactUrl(reads: Reads, idOrCode: string, artifactId: string): Promise<{ redirect: string }> {
  const task = await reads.get('/api/tasks/{taskId}', { path: { taskId: idOrCode } })
  const path = { taskId: task?.id ?? idOrCode, artifactId }
  const { previewUrl } = await reads.get('/api/tasks/{taskId}/artifacts/{artifactId}/preview', { path })
  return { redirect: previewUrl }
}
