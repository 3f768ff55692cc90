/** The texts of emails and of the pages opened by emails and social logins, in Arabic. */
export const mail = {
  'code.subject': 'رمز تسجيل الدخول',
  'code.heading': 'رمز تسجيل الدخول',
  'code.before': 'أدخل هذا الرمز حيث تسجّل الدخول. يصلح لمدة 10 دقائق، وفي المتصفح الذي طلبه فقط.',
  'code.after':
    'لن يطلبه منك أحد من {site} أبدًا. إن لم تطلب رمزًا فتجاهل هذه الرسالة: لا يستطيع أحد تسجيل الدخول بدونه.',

  'approval.subject': 'الموافقة على متصفح جديد',
  'approval.heading': 'هل هذا أنت؟',
  'approval.before': 'يريد متصفح جديد تسجيل الدخول ببريدك الإلكتروني. يصلح الرابط لمدة 10 دقائق.',
  'approval.link': 'مراجعة الطلب',
  'approval.after':
    'لا تفتحه إلا إذا كنت تسجّل الدخول الآن. إن لم تكن أنت فتجاهل هذه الرسالة: لا يستطيع أحد تسجيل الدخول إلى {site} بدونه.',

  'changePrimary.subject': 'تأكيد تغيير بريدك الإلكتروني',
  'changePrimary.heading': 'تغيير بريدك الإلكتروني',
  'changePrimary.before': 'أدخل هذا الرمز لتأكيد رغبتك في تغيير البريد الإلكتروني لحسابك. يصلح لمدة 10 دقائق.',
  'changePrimary.after': 'إن لم تكن أنت فلا تدخله في أي مكان، وراجع أجهزة حسابك في {site}.',

  'changeSecondary.subject': 'تأكيد بريدك الإلكتروني الجديد',
  'changeSecondary.heading': 'بريدك الإلكتروني الجديد',
  'changeSecondary.before': 'أدخل هذا الرمز ليصبح هذا هو البريد الإلكتروني لحسابك. يصلح لمدة 10 دقائق.',
  'changeSecondary.after': 'إن لم تطلب ذلك فتجاهل هذه الرسالة: سيحذف {site} هذا العنوان.',

  'addressTaken.subject': 'لهذا البريد الإلكتروني حساب بالفعل',
  'addressTaken.heading': 'هذا البريد الإلكتروني مستخدم',
  'addressTaken.before':
    'حاول أحد، ربما أنت، استخدام هذا البريد الإلكتروني لحساب آخر في {site}. له حساب بالفعل، لذا لم يتغيّر شيء.',
  'addressTaken.after': 'إن كنت أنت فسجّل الدخول بهذا البريد الإلكتروني.',

  'addressChanged.subject': 'تغيّر بريدك الإلكتروني',
  'addressChanged.heading': 'تغيّر بريدك الإلكتروني',
  'addressChanged.before':
    'أصبح لحسابك في {site} بريد إلكتروني آخر. أُدخل الرمزان المرسلان إلى العنوانين. لم تتغيّر محفظتك ولا مفاتيحها.',
  'addressChanged.after': 'إن لم تكن أنت فهناك من يستطيع قراءة بريدك: غيّر كلمة مرور حساب بريدك.',

  'deviceAdded.subject': 'تسجيل دخول جديد على جهاز آخر',
  'deviceAdded.heading': 'جهاز جديد',
  'deviceAdded.before':
    'سجّل «{place}» الدخول إلى حسابك في {site}. لا يستطيع فتح المحفظة إلا بمفتاح المرور أو بمجموعة الاسترداد أو بجهاز آخر من أجهزتك.',
  'deviceAdded.after': 'إن لم يكن لك فأزله من قائمة أجهزة محفظتك.',

  'deviceAsked.subject': 'يريد جهاز جديد فتح محفظتك',
  'deviceAsked.heading': 'يحتاج جهاز إلى موافقتك',
  'deviceAsked.before':
    'سجّل «{place}» الدخول إلى حسابك في {site} ويطلب موافقة أحد أجهزتك. حتى {time}، تتطلب الموافقة مفتاح المرور أو مجموعة الاسترداد على ذلك الجهاز.',
  'deviceAsked.after':
    'إن لم يكن لك فهناك من يستطيع قراءة بريدك: غيّر كلمة مرور حساب بريدك، ثم افتح {page} في متصفحك، وسجّل الخروج من كل مكان، وأضف مفتاح مرور أو مجموعة استرداد.',

  'expiredPage.title': 'انتهت صلاحية الرابط',
  'expiredPage.heading': 'انتهت صلاحية هذا الرابط',
  'expiredPage.body': 'يصلح مرة واحدة، لمدة 10 دقائق. اطلب رابطًا جديدًا حيث تسجّل الدخول.',

  'approvePage.title': 'الموافقة على متصفح جديد',
  'approvePage.heading': 'هل تسجّل الدخول الآن؟',
  'approvePage.body': 'يريد متصفح تسجيل الدخول إلى {site} باسم {email}.',
  'approvePage.notYou': 'إن لم تكن أنت فأغلق هذه الصفحة.',
  'approvePage.approve': 'موافقة',

  'approvedPage.title': 'تمت الموافقة',
  'approvedPage.heading': 'تمت الموافقة على المتصفح',
  'approvedPage.body': 'أرسلنا إليك رمزًا بالبريد. أدخله حيث تسجّل الدخول. يمكنك إغلاق هذه الصفحة.',

  'popup.title': 'تسجيل الدخول',
  'popup.loading': 'لحظة…',
  'popup.loadingBody': 'سيُفتح تسجيل الدخول هنا.',
  'popup.elsewhere': 'تابع في الصفحة',
  'popup.done': 'يمكنك العودة إلى الصفحة',
  'popup.failed': 'حدث خطأ ما',
  'popup.close': 'يمكنك إغلاق هذه النافذة.',
}
