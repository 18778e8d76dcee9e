/** What `act` costs this process, milliseconds: other processes of a busy machine do not count. */
export function cpuTime(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
