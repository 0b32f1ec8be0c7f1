export const announcements = {
  region: 'Announcements',
  dismiss: 'Dismiss',
  kind: {
    information: 'Information',
    maintenance: 'Maintenance',
    warning: 'Warning',
  },
};
