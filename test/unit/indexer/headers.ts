import { numberToHex, padHex, toHex } from 'viem'
import type { BlockHeader } from '../../../ops/indexer/heads/block-header.ts'

/** The header of a block at a height; `fork` names one of several there. */
export function aHeader(height: number, fork = 'a'): BlockHeader {
  return {
    number: numberToHex(height),
    hash: hashOf(height, fork),
    parentHash: hashOf(height - 1, fork),
    timestamp: numberToHex(1_700_000_000 + height),
    logsBloom: `0x${'0'.repeat(512)}`,
  }
}

function hashOf(height: number, fork: string) {
  return padHex(toHex(`${fork}${height}`), { size: 32 })
}
