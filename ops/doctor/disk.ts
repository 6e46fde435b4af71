import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type DiskRoom, readDiskRoom } from '../../metrics/disk-room.ts'
import { defineCheck, type Observation } from './check.ts'

type Name = 'full' | 'nearly_full' | 'few_files' | 'missing'

/** The minimum free share of a disk. A disk with less is reported. */
const LEAST_FREE_SHARE = 0.1
/** The minimum number of free inodes of a file system. A file system with fewer is reported. */
const LEAST_FREE_FILES = 10_000

/** The free space on the file system that contains the folder of one setting. */
export interface DiskFacts extends DiskRoom {
  /** Name of the setting that contains the path of the folder. */
  of: string
  /** The number of bytes that must remain free on the file system. */
  reserveBytes: number
}

/** The doctor check for the disks of this machine. */
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

/** Compares the free space of one disk with the minimum. */
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

/**
 * Returns a fault if the folder of exports is set and does not exist. The service does not create this folder when it
 * starts.
 */
export function judgeExports(directory: string | undefined): Observation<Name>[] {
  if (directory === undefined || existsSync(directory)) return []
  return [{ fault: 'missing', of: 'EXPORTS_DIR', detail: directory }]
}

/**
 * Reads the free space of the disk that contains a folder. For a missing folder, reads the disk of its nearest existing
 * parent.
 */
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
