/**
 * The file of a deliverable that stands for all of it: the first that is meant as the result, else the first; null of
 * one without files.
 * @param files in display order
 */
export function mainFileOf<File extends { role: string }>(files: readonly File[]): File | null {
  return files.find(({ role }) => role === 'final') ?? files[0] ?? null
}
