import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * A preload (`node --import`): the wall clock of this process has the skew in a file. SIGWINCH, which ends no service, reads
 * the file again, so the clock can jump while the process runs. `performance`, `process.hrtime` and timers are not changed,
 * as when an operator sets a machine's clock.
 */
const file = process.env.SKEWED_CLOCK_FILE
if (file === undefined) throw new Error('SKEWED_CLOCK_FILE names no file')

let skewMilliseconds = readSkew(file)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...args: [] | ConstructorParameters<typeof Date>) {
    if (args.length === 0) super(SkewedDate.now())
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + skewMilliseconds
  }
}

// `Date()` without `new` returns the text of the current time.
globalThis.Date = new Proxy(SkewedDate, { apply: () => new SkewedDate().toString() }) as unknown as DateConstructor

process.on('SIGWINCH', () => {
  skewMilliseconds = readSkew(file)
  acknowledge(file)
})
acknowledge(file)

/** Milliseconds by which the clock is ahead; negative when it is behind. */
function readSkew(path: string): number {
  const skew = Number(readFileSync(path, 'utf8'))
  if (!Number.isFinite(skew)) throw new Error(`${path} holds no number`)
  return skew
}

/** Writes the skew that this process uses. */
function acknowledge(path: string): void {
  const written = `${path}.${process.pid}`
  writeFileSync(`${written}.unfinished`, String(skewMilliseconds))
  renameSync(`${written}.unfinished`, written)
}
