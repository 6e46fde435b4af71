/** Formats a number of bytes for people. Example: `byteCount(1_530_000)` is `1.5 MB`. */
export function byteCount(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
