/**
 * Returns the file that represents a deliverable: the first file with the role `final`, otherwise the first file.
 * Returns null if there are no files.
 * @param files in display order
 */
export function mainFileOf<File extends { role: string }>(files: readonly File[]): File | null {
  return files.find(({ role }) => role === 'final') ?? files[0] ?? null
}
