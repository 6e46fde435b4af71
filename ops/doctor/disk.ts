import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type DiskRoom, readDiskRoom } from '../../metrics/disk-room.ts'
import { defineCheck, type Observation } from './check.ts'

type Name = 'full' | 'nearly_full' | 'few_files' | 'missing'

/** Free part of a disk below which it is reported. */
const LEAST_FREE_SHARE = 0.1
/** Free entries of a file system below which they are reported. */
const LEAST_FREE_FILES = 10_000

/** Facts of a file system, found by a folder on it. */
export interface DiskFacts extends DiskRoom {
  /** Setting that names the folder. */
  of: string
  /** Bytes that must stay free. */
  reserveBytes: number
}

/** The check of the disks of this machine. */
export const diskCheck = defineCheck<Name>({
  name: 'disk',
  looksAt: 'the room on the disks of this machine: files, temporary files, exports, the data of the standby',
  faults: {
    full: {
      result: 'wrong',
      meaning: '... has less room than has to stay free',
      remedy: 'Make room: uploads are refused, and a query of analysts can fail.',
    },
    nearly_full: { result: 'warning', meaning: '... is nearly full', remedy: 'Make room, or a larger disk, in time.' },
    few_files: {
      result: 'warning',
      meaning: '... can hold few more files',
      remedy: 'Delete small files, or make a file system with more inodes.',
    },
    missing: {
      result: 'warning',
      meaning: '... leads to no folder',
      remedy:
        'Correct it, or make the folder by an export (npm run export). With units, the first start of the service makes /srv/exports.',
    },
    no_answer: { result: 'wrong', meaning: 'a disk gave no answer', remedy: 'Look at its state: dmesg.' },
  },
  find: async ({ config, programs }) => {
    const reserveBytes = config?.STORAGE_RESERVE_BYTES ?? 0
    const { STANDBY_DATA_DIRECTORY } = programs['standby-keeper'].values
    const places: [string, string | undefined, number][] = [
      ['ARTIFACT_DIR', config?.ARTIFACT_DIR, reserveBytes],
      ['EXPORTS_DIR', config?.EXPORTS_DIR, 0],
      ['STANDBY_DATA_DIRECTORY', STANDBY_DATA_DIRECTORY, 0],
      ['the folder of temporary files', tmpdir(), 0],
    ]
    const disks = await Promise.all(
      places.map(async ([of, path, reserve]) =>
        path === undefined ? [] : [await readDisk(of, resolve(path), reserve)],
      ),
    )
    return [...disks.flat().flatMap(judgeDisk), ...judgeExports(config?.EXPORTS_DIR)]
  },
})

/** Judges the free space of one disk. */
export function judgeDisk({ of, freeBytes, sizeBytes, freeFiles, reserveBytes }: DiskFacts): Observation<Name>[] {
  if (sizeBytes === 0) return [{ unchecked: `${of}: its file system does not say how much room it has` }]
  const detail = `${toGigabytes(freeBytes)} of ${toGigabytes(sizeBytes)} GB are free`
  const observations: Observation<Name>[] = []
  if (freeBytes <= reserveBytes) observations.push({ fault: 'full', of: `the disk of ${of}`, detail })
  else if (freeBytes / sizeBytes < LEAST_FREE_SHARE)
    observations.push({ fault: 'nearly_full', of: `the disk of ${of}`, detail })
  if (freeFiles !== null && freeFiles < LEAST_FREE_FILES)
    observations.push({ fault: 'few_files', of: `the disk of ${of}`, detail: `${freeFiles}` })
  return observations.length > 0 ? observations : [{ ok: `${of}: ${detail}` }]
}

/** Judges if the folder of exports exists. No start of the service creates it. */
export function judgeExports(directory: string | undefined): Observation<Name>[] {
  if (directory === undefined || existsSync(directory)) return []
  return [{ fault: 'missing', of: 'EXPORTS_DIR', detail: directory }]
}

/** Reads the disk of a folder. A missing folder will be created on the disk of its parent. */
async function readDisk(of: string, path: string, reserveBytes: number): Promise<DiskFacts> {
  try {
    return { of, reserveBytes, ...(await readDiskRoom(path)) }
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
    return readDisk(of, above, reserveBytes)
  }
}

function toGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1)
}
