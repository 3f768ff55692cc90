CREATE TABLE "vault_replaced" (
	"user_id" text NOT NULL,
	"version" integer NOT NULL,
	"record" text NOT NULL,
	"replaced_at" bigint NOT NULL,
	CONSTRAINT "vault_replaced_user_id_replaced_at_version_pk" PRIMARY KEY("user_id","replaced_at","version")
);
--> statement-breakpoint
ALTER TABLE "vault_replaced" ADD CONSTRAINT "vault_replaced_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_replaced_at" ON "vault_replaced" USING btree ("replaced_at");