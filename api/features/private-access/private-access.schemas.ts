import { z } from 'zod'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { addressOut, timestampOut, toAddress, toTimestampFromMs } from '../../http/response-schemas.ts'
import type { ViewerRow } from './private-access.queries.ts'

export const taskParams = z.object({ taskId: bytes32 })
export const viewerParams = z.object({ taskId: bytes32, viewerAddress: address })

/** The schema of an invitation. See the interface specification, "Record shapes": viewers. */
export const viewerSchema = z
  .object({ viewerAddress: addressOut, addedBy: addressOut, createdAt: timestampOut })
  .meta({ id: 'Viewer' })

export type Viewer = z.output<typeof viewerSchema>

/** Returns the public form of an invitation. */
export function toViewer({ viewer, addedBy, createdAt }: ViewerRow): Viewer {
  return {
    viewerAddress: toAddress(viewer),
    addedBy: toAddress(addedBy),
    createdAt: toTimestampFromMs(BigInt(createdAt.getTime())),
  }
}
